import { type Clock, sleep } from '../../../src/ports/clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../../src/ports/transport.ts';

/** What goes wrong with one request. `done`: whether the request was carried out all the same. */
export type RequestFault =
  | { readonly kind: 'status'; readonly status: number; readonly done: boolean; readonly retryAfterSeconds?: number }
  | { readonly kind: 'reset'; readonly done: boolean }
  /** No answer until the client gives up. */
  | { readonly kind: 'silence'; readonly done: boolean }
  | { readonly kind: 'delay'; readonly ms: number }
  /** The process dies right after the request was carried out (or right before). */
  | { readonly kind: 'crash'; readonly done: boolean };

export interface FaultPlan {
  /** The fault of this request, if it has one. Watches are asked about too. */
  faultOf(request: TransportRequest): RequestFault | undefined;
  /** Kills the process whose request it was. */
  crash(): void;
}

export function isWrite(request: TransportRequest): boolean {
  return request.method !== 'GET';
}

export function isWatch(request: TransportRequest): boolean {
  return request.path.includes('watch=true');
}

/** The network between one process and the cluster. A process that died takes its requests with it. */
export class FaultyTransport implements Transport {
  readonly #inner: Transport;
  readonly #clock: Clock;
  readonly #plan: FaultPlan;
  readonly #alive: () => boolean;

  constructor(inner: Transport, clock: Clock, plan: FaultPlan, alive: () => boolean) {
    this.#inner = inner;
    this.#clock = clock;
    this.#plan = plan;
    this.#alive = alive;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#checkAlive();
    const fault = this.#plan.faultOf(request);
    if (fault === undefined) return this.#carryOut(request);
    switch (fault.kind) {
      case 'delay':
        await sleep(this.#clock, fault.ms, request.signal);
        return this.#carryOut(request);
      case 'status':
        if (fault.done) await this.#carryOut(request);
        return answer(fault);
      case 'reset':
        if (fault.done) await this.#carryOut(request);
        throw reset();
      case 'silence':
        if (fault.done) await this.#carryOut(request);
        await sleep(this.#clock, 3_600_000, request.signal);
        throw reset();
      case 'crash':
        if (fault.done) await this.#carryOut(request);
        this.#plan.crash();
        throw reset();
    }
  }

  async #carryOut(request: TransportRequest): Promise<TransportResponse> {
    this.#checkAlive();
    const response = await this.#inner.send(request);
    this.#checkAlive();
    return response;
  }

  #checkAlive(): void {
    if (!this.#alive()) throw reset();
  }
}

function reset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

function answer(fault: Extract<RequestFault, { kind: 'status' }>): TransportResponse {
  const { status, retryAfterSeconds } = fault;
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  const reasons: Record<number, string> = { 409: 'Conflict', 410: 'Expired', 429: 'TooManyRequests', 504: 'Timeout' };
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: `the simulation answered ${status}`,
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
