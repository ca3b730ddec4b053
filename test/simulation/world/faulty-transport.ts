import { type Clock, sleep } from '../../../src/ports/clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../../src/ports/transport.ts';
import type { Life } from './life.ts';

/** What goes wrong with one request. `done`: whether the request was carried out all the same. */
export type RequestFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly done: boolean;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  | { readonly kind: 'reset'; readonly done: boolean }
  /** No answer until the client gives up. */
  | { readonly kind: 'silence'; readonly done: boolean }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The client hears nothing, and what it sent is carried out that much later. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The process dies right after the request was carried out (or right before). */
  | { readonly kind: 'crash'; readonly done: boolean };

export interface FaultPlan {
  /** The fault of this request, if it has one. Watches are asked about too. */
  faultOf(request: TransportRequest): RequestFault | undefined;
  /** Kills the process whose request it was. */
  crash(): void;
}

/** How long one way of a request takes; 0 takes no time at all. */
export type Latency = () => number;

/** On every request: when it left the process, of the steady clock. It may be carried out long after that. */
export const sentAtHeader = 'x-simulation-sent-at';

export function isWrite(request: TransportRequest): boolean {
  return request.method !== 'GET';
}

export function isWatch(request: TransportRequest): boolean {
  return request.path.includes('watch=true');
}

export interface NetworkOptions {
  readonly inner: Transport;
  readonly clock: Clock;
  readonly plan: FaultPlan;
  readonly life: Life;
  readonly latency: Latency;
}

/** The network between one process and the cluster. What a process sent arrives, whatever becomes of the process. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #clock: Clock;
  readonly #plan: FaultPlan;
  readonly #life: Life;
  readonly #latency: Latency;

  constructor({ inner, clock, plan, life, latency }: NetworkOptions) {
    this.#inner = inner;
    this.#clock = clock;
    this.#plan = plan;
    this.#life = life;
    this.#latency = latency;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const life = this.#life;
    if (!life.alive || life.paused) await life.running();
    try {
      const response = await this.#exchange(request);
      await life.running();
      return { ...response, body: readable(response.body, life) };
    } catch (error) {
      await life.running();
      throw error;
    }
  }

  async #exchange(request: TransportRequest): Promise<TransportResponse> {
    const fault = this.#plan.faultOf(request);
    switch (fault?.kind) {
      case undefined:
        return this.#carryOut(request);
      case 'delay':
        await sleep(this.#clock, fault.ms, request.signal);
        return this.#carryOut(request);
      case 'late':
        this.#landLater(this.#stamped(request), fault.ms);
        return this.#noAnswer(request);
      case 'status':
        if (fault.done) await this.#carryOut(request);
        else await this.#travel(request);
        return answer(fault);
      case 'reset':
        if (fault.done) await this.#carryOut(request);
        throw reset();
      case 'silence':
        if (fault.done) await this.#carryOut(request);
        return this.#noAnswer(request);
      case 'crash':
        if (fault.done) await this.#carryOut(request);
        this.#plan.crash();
        throw reset();
    }
  }

  async #noAnswer(request: TransportRequest): Promise<never> {
    await sleep(this.#clock, 3_600_000, request.signal);
    throw reset();
  }

  /** Whoever gave up meanwhile has sent it all the same. */
  async #carryOut(request: TransportRequest): Promise<TransportResponse> {
    const sent = this.#stamped(request);
    await this.#travel();
    const response = await this.#inner.send(isWrite(request) ? unattended(sent) : this.#ending(sent));
    await this.#travel(request);
    return response;
  }

  #landLater(request: TransportRequest, ms: number): void {
    this.#clock.after(ms, () => void this.#inner.send(unattended(request)).catch(() => {}));
  }

  #stamped(request: TransportRequest): TransportRequest {
    return { ...request, headers: { ...request.headers, [sentAtHeader]: String(this.#clock.monotonic()) } };
  }

  /** A watch ends with the process that reads it. */
  #ending(request: TransportRequest): TransportRequest {
    if (!isWatch(request)) return request;
    const { signal } = this.#life.ended;
    return { ...request, signal: request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]) };
  }

  async #travel(request?: TransportRequest): Promise<void> {
    const ms = this.#latency();
    if (ms > 0) await sleep(this.#clock, ms, request?.signal);
  }
}

/** Nobody can call it back. */
function unattended({ signal: _, ...request }: TransportRequest): TransportRequest {
  return request;
}

async function* readable(body: TransportResponse['body'], life: Life): TransportResponse['body'] {
  try {
    for await (const piece of body) {
      if (!life.alive || life.paused) await life.running();
      yield piece;
    }
  } finally {
    if (!life.alive || life.paused) await life.running();
  }
}

function reset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

const reasons: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  504: 'Timeout',
};

function answer(fault: Extract<RequestFault, { kind: 'status' }>): TransportResponse {
  const { status, retryAfterSeconds, message } = fault;
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: message ?? `the simulation answered ${status}`,
    reason: reasons[status] ?? 'InternalError',
    code: status,
    ...details,
  };
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: oneText(JSON.stringify(body)),
  };
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}
