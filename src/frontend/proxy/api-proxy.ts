import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import errors from 'undici/lib/core/errors.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { Pace } from '../../platform/pace.ts';
import {
  parseTokenHeader,
  type Rank,
  type SaidOfToken,
  type TokenHolder,
  tokenHeader,
} from '../../platform/token-name.ts';
import { Turns } from '../../platform/turns.ts';
import { WaitingRoom } from '../../platform/waiting-room.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { andHangUp, answerError } from '../http/answers.ts';
import type { Headers } from '../http/security-headers.ts';
import { KnownTokens } from './known-tokens.ts';
import { Lane, type LaneName, laneOf, laneSizes, type Place, type Sharer } from './lanes.ts';
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
  /** As how many its connection counts, while a stream keeps it. */
  readonly weight: number;
  /** Who is asked, and by whom: said anew by us, whatever the client claims. */
  readonly said: Headers;
  /** On every answer that lacks them. */
  readonly headers: Headers;
}

/** Bodies that have begun and not ended, 64 KiB each at most: who the API has said is signed in has room of his own, and admins have theirs. */
export const unfinishedBodies = { strangers: 40, signedIn: 16, admins: 8 } as const;
/** To open a stream costs as much as ten other requests, and who opens one stays: the others should not wait for hundreds of them. */
const streamEveryMs = 4;
/** Who is sent away because there is too much to do should come again soon, but not at once. */
const comeAgain: Headers = { 'retry-after': '5' };
const laneNames = Object.keys(laneSizes) as readonly LaneName[];

/** Sockets of a way. Who claims to be signed in stays on the one on which his stream was accepted. */
function socketsOf(name: LaneName): number {
  return laneSizes[name].sockets + (name === 'stream' ? laneSizes['claimed-stream'].sockets : 0);
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly passed: PassedRequest;
  readonly body: Uint8Array | null;
  /** The name of the token that is shown. */
  readonly token: string | undefined;
}

/**
 * Asks the API in a client's place. A request is taken whole, judged, and asked anew: its length is counted here, and of its
 * headers the API hears those that it reads. No byte of a client's framing reaches the API.
 */
export class ApiProxy {
  readonly #lanes: Readonly<Record<LaneName, Lane>>;
  readonly #pools: Readonly<Record<LaneName, Pool>>;
  readonly #bodies = {
    strangers: new WaitingRoom<() => void>(unfinishedBodies.strangers),
    signedIn: new WaitingRoom<() => void>(unfinishedBodies.signedIn),
    admins: new WaitingRoom<() => void>(unfinishedBodies.admins),
  } as const;
  readonly #streams: Pace;
  readonly #claimedStreams = new Turns(laneSizes['claimed-stream'].sockets);
  readonly #tokens = new KnownTokens();
  readonly #logger: Logger;

  constructor({ apiUrl, clock, logger, silenceMs = 75_000 }: ApiProxyOptions) {
    const base = URL.parse(apiUrl);
    if (base?.protocol !== 'http:') {
      throw new Error(`API_URL: ${JSON.stringify(apiUrl)} is not an address such as http://127.0.0.1:8080`);
    }
    this.#logger = logger;
    this.#streams = new Pace(clock, streamEveryMs);
    const pool = (connections: number) =>
      new Pool(base.origin, {
        connections,
        pipelining: 1,
        strictContentLength: true,
        headersTimeout: silenceMs,
        bodyTimeout: silenceMs,
      });
    this.#lanes = forEachLane((name) => new Lane(laneSizes[name], clock));
    this.#pools = forEachLane((name) => pool(socketsOf(name)));
  }

  pass(request: IncomingMessage, response: ServerResponse, passed: PassedRequest): void {
    if (passed.body === 'none') {
      request.resume();
      this.#ask(request, response, passed, null);
      return;
    }
    const { client, headers } = passed;
    const holder = this.#tokens.holderOf(this.#tokens.nameOf(request.headers.authorization));
    const room = this.#bodies[roomOf(holder?.rank)];
    const name = holder?.person ?? client;
    const taking = takeBody(request, (body) => {
      room.leave(name, giveUp);
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
    for (const sendAway of room.enter(name, giveUp)) sendAway();
  }

  async close(): Promise<void> {
    await Promise.all(laneNames.map((name) => this.#pools[name].destroy()));
  }

  #ask(request: IncomingMessage, response: ServerResponse, passed: PassedRequest, body: Uint8Array | null): void {
    const { authorization } = request.headers;
    const token = this.#tokens.nameOf(authorization);
    const holder = this.#tokens.holderOf(token);
    const name = laneOf(passed.path, authorization, holder?.rank);
    const weight = name === 'stream' ? passed.weight : 1;
    const sharer = { ...sharerOf(passed, name === 'anonymous' ? undefined : holder), weight };
    const place = this.#lanes[name].enter(sharer, () => response.destroy());
    if (place === undefined) {
      this.#overloaded(request, response, passed.headers);
      return;
    }
    response.once('close', () => place.leave());
    const asked: Asked = { request, response, passed, body, token };
    if (name === 'stream')
      response.once(
        'close',
        this.#streams.begin(() => this.#dispatch(asked, name, { place: undefined, admit: undefined })),
      );
    else if (name === 'claimed-stream') this.#claimStream(asked, place);
    else this.#dispatch(asked, name, { place, admit: undefined });
  }

  /** Whoever shows a token of which nothing is known has his turn to be judged; whom the API takes then goes among the streams. */
  #claimStream(asked: Asked, place: Place): void {
    const { request, response, passed } = asked;
    const admit = (status: number, said: SaidOfToken | undefined) => {
      if (status !== 200) return true;
      const sharer = { ...sharerOf(passed, said), weight: passed.weight };
      const stays = this.#lanes.stream.enter(sharer, () => response.destroy());
      place.leave();
      end();
      if (stays === undefined) this.#overloaded(request, response, passed.headers);
      else response.once('close', () => stays.leave());
      return stays !== undefined;
    };
    const end = this.#claimedStreams.begin(() => this.#dispatch(asked, 'stream', { place, admit }));
    response.once('close', end);
  }

  #dispatch(asked: Asked, name: LaneName, { place, admit }: Pick<PassedAnswerOptions, 'place' | 'admit'>): void {
    const { request, response, passed, body, token } = asked;
    const { path, said, headers } = passed;
    const method = request.method ?? 'GET';
    const failed = (error: Error) => this.#failed(request, response, error, headers);
    const heard = (status: number, word: SaidOfToken | undefined) => {
      this.#tokens.learn(token, status, word);
      return admit?.(status, word) ?? true;
    };
    this.#pools[name].dispatch(
      { path, method, headers: requestHeaders(request.headers, said), body },
      new PassedAnswer(response, { headers, failed, admit: heard, place }),
    );
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

function forEachLane<T>(make: (name: LaneName) => T): Readonly<Record<LaneName, T>> {
  return Object.fromEntries(laneNames.map((name) => [name, make(name)])) as Record<LaneName, T>;
}

/** Behind an ingress all people are one client: who is known is counted as himself. */
function sharerOf({ client }: PassedRequest, holder: TokenHolder | undefined): Omit<Sharer, 'weight'> {
  return holder === undefined ? { name: client, rank: 'outside' } : { name: holder.person, rank: holder.rank };
}

function roomOf(rank: Rank | undefined): keyof typeof unfinishedBodies {
  if (rank === undefined) return 'strangers';
  return rank === 'admin' ? 'admins' : 'signedIn';
}

interface PassedAnswerOptions {
  readonly headers: Headers;
  readonly failed: (error: Error) => void;
  /** Hears what the API says of a token; false when the answer has no place, and the client was told so. */
  readonly admit: ((status: number, said: SaidOfToken | undefined) => boolean) | undefined;
  /** That of an answer which is taken in one go; a stream may stand still. */
  readonly place: Place | undefined;
}

/** Hands an answer of the API on as it comes, no faster than it is read. */
class PassedAnswer implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse;
  readonly #headers: Headers;
  readonly #failed: (error: Error) => void;
  readonly #admit: PassedAnswerOptions['admit'];
  readonly #place: Place | undefined;
  /** Pieces that the reader's connection has not taken. */
  #unread = 0;
  #gone = false;

  constructor(response: ServerResponse, { headers, failed, admit, place }: PassedAnswerOptions) {
    this.#admit = admit;
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
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    if (this.#admit?.(status, parseTokenHeader(headers[tokenHeader])) === false) {
      this.#gone = true;
      controller.abort(new Error('there is no place for it'));
      return;
    }
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
