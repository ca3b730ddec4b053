import { type Clock, sleep } from '../../../ports/clock.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { Random } from '../../../ports/random.ts';
import type { Transport, TransportResponse } from '../../../ports/transport.ts';
import { ApiStatusError, asNoAnswer, NoAnswer } from './errors.ts';
import { readBytes } from './read-bytes.ts';
import type { Method, RequestBody } from './request-options.ts';
import { whetherToRetry } from './retry-policy.ts';
import { statusError } from './status-answer.ts';
import type { TokenBucket } from './token-bucket.ts';

export interface ApiCallerOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Spreads retries. */
  readonly random: Random;
  readonly limiter: TokenBucket;
  readonly userAgent: string;
  readonly logger: Logger;
  /** For one attempt, from sending to the end of the body; for a watch, to its first byte. */
  readonly requestTimeoutMs: number;
}

export interface ApiCall {
  readonly method: Method;
  readonly path: string;
  readonly body?: RequestBody;
  readonly signal?: AbortSignal;
  /** Not tried again here. */
  readonly once?: boolean;
}

/** Sends calls: limit, timeout, errors with the cluster's words, and the retries that are safe. */
export class ApiCaller {
  readonly #options: ApiCallerOptions;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
  }

  /** `read` takes the body of a good answer; a retry calls it afresh. */
  async call<R>(call: ApiCall, read: (body: TransportResponse['body']) => Promise<R>): Promise<R> {
    const { limiter, clock, random, logger } = this.#options;
    for (let attempt = 1; ; attempt++) {
      await limiter.take(call.signal);
      try {
        return await this.#attempt(call, read);
      } catch (failure) {
        if (call.signal?.aborted) throw call.signal.reason;
        if (call.once === true) throw failure;
        const chance = random.next();
        const answer = whetherToRetry({ attempt, failure, write: call.method !== 'GET', chance });
        if (!answer.retry) throw failure;
        const about = { method: call.method, path: call.path, attempt, reason: answer.reason, delayMs: answer.delayMs };
        logger.debug('Trying a request again', about);
        await sleep(clock, answer.delayMs, call.signal);
      }
    }
  }

  /** An answer whose body streams on; the timeout covers only the wait for its head. Never retried here. */
  async open(call: ApiCall): Promise<TransportResponse['body']> {
    await this.#options.limiter.take(call.signal);
    const attempt = new Attempt(this.#options, call);
    try {
      return (await this.#send(call, attempt.signal)).body;
    } catch (failure) {
      attempt.end();
      throw attempt.explain(failure);
    } finally {
      attempt.stopTheTimer();
    }
  }

  async #attempt<R>(call: ApiCall, read: (body: TransportResponse['body']) => Promise<R>): Promise<R> {
    const attempt = new Attempt(this.#options, call);
    try {
      const response = await this.#send(call, attempt.signal);
      return await read(response.body);
    } catch (failure) {
      throw attempt.explain(failure);
    } finally {
      attempt.end();
    }
  }

  async #send(call: ApiCall, signal: AbortSignal): Promise<TransportResponse> {
    const { transport, userAgent, clock } = this.#options;
    const response = await transport.send({
      method: call.method,
      path: call.path,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(call.body === undefined ? {} : { 'content-type': call.body.contentType }),
      },
      ...(call.body === undefined ? {} : { body: call.body.text }),
      signal,
    });
    if (response.status >= 300) throw statusError(response, (await readBytes(response.body)).toString(), clock.now());
    return response;
  }
}

/** One sending: its timeout, and the caller's wish to stop, in one signal. */
class Attempt {
  readonly #call: ApiCall;
  readonly #timeoutMs: number;
  readonly #abort = new AbortController();
  readonly #onCallerAbort = () => this.#abort.abort(this.#call.signal?.reason);
  readonly #cancelTimer: () => void;
  #timedOut = false;

  constructor(options: ApiCallerOptions, call: ApiCall) {
    this.#call = call;
    this.#timeoutMs = options.requestTimeoutMs;
    call.signal?.addEventListener('abort', this.#onCallerAbort, { once: true });
    this.#cancelTimer = options.clock.after(options.requestTimeoutMs, () => {
      this.#timedOut = true;
      this.#abort.abort(new Error(`timed out after ${options.requestTimeoutMs} ms`));
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  stopTheTimer(): void {
    this.#cancelTimer();
  }

  end(): void {
    this.#cancelTimer();
    this.#call.signal?.removeEventListener('abort', this.#onCallerAbort);
  }

  /** What the caller is to see: its own reason, the cluster's refusal, or that no answer came. */
  explain(failure: unknown): unknown {
    if (this.#call.signal?.aborted) return this.#call.signal.reason;
    if (failure instanceof ApiStatusError) return failure;
    const what = `${this.#call.method} ${this.#call.path}`;
    const noAnswer = asNoAnswer(failure, what);
    if (!this.#timedOut) return noAnswer;
    const { mayHaveReachedServer } = noAnswer;
    return new NoAnswer(`${what}: timed out after ${this.#timeoutMs} ms`, { mayHaveReachedServer, cause: failure });
  }
}
