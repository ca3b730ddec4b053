import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import errors from 'undici/lib/core/errors.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { Pace } from '../../platform/pace.ts';
import { tokenHeader } from '../../platform/token-name.ts';
import { WaitingRoom } from '../../platform/waiting-room.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { andHangUp, answerError } from '../http/answers.ts';
import type { Headers } from '../http/security-headers.ts';
import { KnownTokens } from './known-tokens.ts';
import { Lane, type LaneName, type LaneSize, laneOf, laneSizes, type Place } from './lanes.ts';
import { answerHeaders, requestHeaders } from './passed-headers.ts';
import { takeBody } from './request-body.ts';

export interface ApiProxyOptions {
  /** `http://127.0.0.1:8080`; the API is beside us in the pod, so there is no TLS on this hop. */
  readonly apiUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long the API may be silent, before its answer and within it; streams send a heartbeat far more often. */
  readonly silenceMs?: number;
}

/** A request as the frontend has made it out. */
export interface PassedRequest {
  /** What the API is asked for. */
  readonly path: string;
  readonly body: 'none' | 'some';
  /** What budgets count by. */
  readonly client: string;
  /** Who is asked, and by whom: said anew by us, whatever the client claims. */
  readonly said: Headers;
  /** On every answer that lacks them. */
  readonly headers: Headers;
}

/** Bodies that have begun and not ended: 64 KiB each at most. */
export const unfinishedBodies = 64;
/** To open a stream costs as much as ten other requests, and who opens one stays: the others should not wait for a thousand of them. */
const streamEveryMs = 4;
/** Who is sent away because there is too much to do should come again soon, but not at once. */
const comeAgain: Headers = { 'retry-after': '5' };
const laneNames = Object.keys(laneSizes) as readonly LaneName[];

interface Way {
  readonly lane: Lane;
  readonly pool: Pool;
}

/**
 * Asks the API in a client's place. A request is taken whole, judged, and asked anew: its length is counted here, and of its
 * headers the API hears those that it reads. No byte of a client's framing reaches the API.
 */
export class ApiProxy {
  readonly #ways: ReadonlyMap<LaneName, Way>;
  readonly #bodies = new WaitingRoom<() => void>(unfinishedBodies);
  readonly #streams: Pace;
  readonly #tokens = new KnownTokens();
  readonly #logger: Logger;

  constructor({ apiUrl, clock, logger, silenceMs = 75_000 }: ApiProxyOptions) {
    const base = URL.parse(apiUrl);
    if (base?.protocol !== 'http:') {
      throw new Error(`API_URL: ${JSON.stringify(apiUrl)} is not an address such as http://127.0.0.1:8080`);
    }
    this.#logger = logger;
    this.#streams = new Pace(clock, streamEveryMs);
    const way = (size: LaneSize): Way => ({
      lane: new Lane(size, clock),
      pool: new Pool(base.origin, {
        connections: size.sockets,
        pipelining: 1,
        strictContentLength: true,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      }),
    });
    this.#ways = new Map(laneNames.map((name) => [name, way(laneSizes[name])]));
  }

  pass(request: IncomingMessage, response: ServerResponse, passed: PassedRequest): void {
    if (passed.body === 'none') {
      request.resume();
      this.#ask(request, response, passed, null);
      return;
    }
    const { client, headers } = passed;
    const taking = takeBody(request, (body) => {
      this.#bodies.leave(client, giveUp);
      if (body.outcome === 'whole' && !response.headersSent) this.#ask(request, response, passed, body.bytes);
      else if (body.outcome === 'too-large' && !response.headersSent) {
        const error = { code: 'payload_too_large', message: 'The body is too large.' } as const;
        answerError(request, response, 413, error, { ...headers, ...andHangUp });
      }
    });
    const giveUp = () => {
      taking();
      this.#overloaded(request, response, headers);
    };
    this.#bodies.enter(client, giveUp)?.();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ways.values()].map(({ pool }) => pool.destroy()));
  }

  #ask(
    request: IncomingMessage,
    response: ServerResponse,
    { path, said, headers, client }: PassedRequest,
    body: Uint8Array | null,
  ): void {
    const { authorization } = request.headers;
    const token = this.#tokens.nameOf(authorization);
    const name = laneOf(path, authorization, this.#tokens.has(token));
    const { lane, pool } = this.#ways.get(name)!;
    const place = lane.enter(client, () => response.destroy());
    if (place === undefined) {
      this.#overloaded(request, response, headers);
      return;
    }
    response.once('close', () => place.leave());
    const method = request.method ?? 'GET';
    const failed = (error: Error) => this.#failed(request, response, error, headers);
    const heard = (status: number, said: string | undefined) => this.#tokens.learn(token, status, said);
    const dispatch = () => {
      pool.dispatch(
        { path, method, headers: requestHeaders(request.headers, said), body },
        new PassedAnswer(response, { headers, failed, heard, place: name === 'stream' ? undefined : place }),
      );
    };
    if (name === 'stream') response.once('close', this.#streams.begin(dispatch));
    else dispatch();
  }

  #overloaded(request: IncomingMessage, response: ServerResponse, headers: Headers): void {
    const message = 'There is too much to do just now.';
    answerError(request, response, 503, { code: 'overloaded', message }, { ...headers, ...comeAgain, ...andHangUp });
  }

  #failed(request: IncomingMessage, response: ServerResponse, error: Error, headers: Headers): void {
    this.#logger.warn('The API did not answer', { error: error.message });
    const slow = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
    const message = slow ? 'The API did not answer in time.' : 'The API cannot be reached; it may be starting.';
    const body = { code: 'api_unavailable', message } as const;
    answerError(request, response, slow ? 504 : 502, body, { ...headers, ...comeAgain });
  }
}

interface PassedAnswerOptions {
  readonly headers: Headers;
  readonly failed: (error: Error) => void;
  /** Hears what the API says of a token. */
  readonly heard: (status: number, said: string | undefined) => void;
  /** That of an answer which is taken in one go; a stream may stand still. */
  readonly place: Place | undefined;
}

/** Hands an answer of the API on as it comes, no faster than it is read. */
class PassedAnswer implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #headers: Headers;
  readonly #failed: (error: Error) => void;
  readonly #heard: PassedAnswerOptions['heard'];
  readonly #place: Place | undefined;
  /** Pieces that the reader's connection has not taken. */
  #unread = 0;
  #gone = false;

  constructor(response: ServerResponse, { headers, failed, heard, place }: PassedAnswerOptions) {
    this.#heard = heard;
    this.#place = place;
    this.#response = response;
    this.#headers = headers;
    this.#failed = failed;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const leave = () => {
      this.#gone = true;
      controller.abort(new Error('the client went away'));
    };
    // Whoever goes away takes the request with them: a stream of events must not outlive its reader.
    if (this.#response.destroyed) leave();
    else this.#response.on('close', () => void (this.#response.writableFinished || leave()));
    this.#response.on('drain', () => controller.resume());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    const said = headers[tokenHeader];
    this.#heard(status, typeof said === 'string' ? said : undefined);
    const passed = answerHeaders(headers);
    this.#response.writeHead(status, { ...this.#headers, ...passed });
    // The first byte of a stream may be long in coming; the reader should know that it is connected. Others get all in one go.
    if (passed['content-length'] === undefined) this.#response.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#waits();
    if (!this.#response.write(piece, () => this.#taken())) controller.pause();
  }

  onResponseEnd(): void {
    // Never taken back: whoever has taken the end has taken his leave.
    this.#waits();
    this.#response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#gone || this.#response.destroyed) return;
    if (this.#response.headersSent) this.#response.destroy();
    else this.#failed(error);
  }

  #waits(): void {
    if (this.#unread++ === 0) this.#place?.standsStill();
  }

  #taken(): void {
    if (--this.#unread === 0) this.#place?.goesOn();
    else this.#place?.standsStill();
  }
}
