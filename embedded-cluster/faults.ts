import type { ApiResponse, Call } from './api/request/call.ts';
import { LineStream } from './api/request/line-stream.ts';
import type { Verb } from './api/request/request-info.ts';
import type { KubeObject } from './object-store.ts';
import type { Clock } from './ports/clock.ts';
import type { TransportRequest } from './ports/transport.ts';
import { ApiError } from './store/api-error.ts';
import type { MemoryStore, StoreChange } from './store/memory-store.ts';
import { sleep } from './time/sleep.ts';

/** What a rule or an observer sees of a request. `resource` is `plural` or `plural.group`. */
export interface RequestFacts {
  readonly verb: Verb;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly user: string;
}

export type FaultEffect =
  /** Answers with this status; nothing is done. */
  | { readonly kind: 'fail'; readonly status: number; readonly message?: string; readonly retryAfterSeconds?: number }
  /** Waits on the clock, then goes on. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection breaks; with `after` the request was carried out all the same. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** Only for watches. Silent: stays open and says nothing more. Break: resets. Hold: events come that much later. */
  | {
      readonly kind: 'watch';
      readonly mode: 'silent' | 'break' | 'hold';
      readonly afterMs?: number;
      readonly ms?: number;
    };

export interface FaultRule {
  readonly match: (facts: RequestFacts) => boolean;
  readonly effect: FaultEffect;
  /** Strikes only the n-th match (1 is the first). */
  readonly nth?: number;
  /** How often it strikes before it is spent. */
  readonly times?: number;
}

/** One change that a request made. */
export interface WriteRecord extends RequestFacts {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject;
  readonly type: StoreChange['event']['type'];
  readonly body: string;
}

export interface OpenWatch {
  readonly facts: RequestFacts;
  readonly stream: LineStream;
}

/** What the other end of a broken connection sees. */
class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  readonly code = 'ECONNRESET';

  constructor() {
    super('read ECONNRESET');
  }
}

interface Armed {
  readonly rule: FaultRule;
  matches: number;
  struck: number;
}

interface Crash {
  readonly match: (record: WriteRecord) => boolean;
  readonly run: (record: WriteRecord) => void;
  left: number;
}

/** Faults on request, and what an observer may want to know of every request. */
export class Faults {
  readonly #clock: Clock;
  #armed: readonly Armed[] = [];
  readonly #crashes = new Set<Crash>();
  readonly #requestObservers = new Set<(facts: RequestFacts, request: TransportRequest) => void>();
  readonly #writeObservers = new Set<(record: WriteRecord) => void>();
  readonly #watches = new Set<OpenWatch>();
  readonly #requests = new Map<Verb, number>();
  #crashed = false;

  constructor(clock: Clock, store: MemoryStore) {
    this.#clock = clock;
    store.onAnyChange((change) => this.#onChange(change));
  }

  /** Arms a rule; the returned function disarms it. */
  add(rule: FaultRule): () => void {
    const armed: Armed = { rule, matches: 0, struck: 0 };
    this.#armed = [...this.#armed, armed];
    return () => {
      this.#armed = this.#armed.filter((other) => other !== armed);
    };
  }

  clear(): void {
    this.#armed = [];
    this.#crashes.clear();
  }

  /** After the n-th write that matches, runs the function and breaks the writer's connection before it has its answer. */
  crashAfterWrite(
    n: number,
    run: (record: WriteRecord) => void,
    match: (record: WriteRecord) => boolean = () => true,
  ): () => void {
    const crash: Crash = { match, run, left: n };
    this.#crashes.add(crash);
    return () => this.#crashes.delete(crash);
  }

  onRequest(observer: (facts: RequestFacts, request: TransportRequest) => void): () => void {
    this.#requestObservers.add(observer);
    return () => this.#requestObservers.delete(observer);
  }

  onWrite(observer: (record: WriteRecord) => void): () => void {
    this.#writeObservers.add(observer);
    return () => this.#writeObservers.delete(observer);
  }

  /** How many requests there were of each verb. */
  get requests(): ReadonlyMap<Verb, number> {
    return this.#requests;
  }

  /** The watches that are open now, for striking one by hand. */
  openWatches(match: (facts: RequestFacts) => boolean = () => true): readonly OpenWatch[] {
    return [...this.#watches].filter(({ facts }) => match(facts));
  }

  /** Carries a request out under the rules that match it. */
  async around(facts: RequestFacts, request: TransportRequest, run: () => ApiResponse): Promise<ApiResponse> {
    this.#requests.set(facts.verb, (this.#requests.get(facts.verb) ?? 0) + 1);
    for (const observer of this.#requestObservers) observer(facts, request);
    const effects = this.#armed.length === 0 ? [] : this.#strike(facts);
    for (const effect of effects) {
      if (effect.kind === 'delay') await sleep(this.#clock, effect.ms, request.signal);
      if (effect.kind === 'fail') throw failure(effect);
      if (effect.kind === 'drop' && effect.when === 'before') throw new ConnectionReset();
    }
    const response = this.#carryOut(run);
    if (effects.some((effect) => effect.kind === 'drop')) throw new ConnectionReset();
    if (response.body instanceof LineStream) this.#watchOpened(facts, response.body, effects);
    return response;
  }

  #carryOut(run: () => ApiResponse): ApiResponse {
    this.#crashed = false;
    const response = run();
    if (!this.#crashed) return response;
    this.#crashed = false;
    throw new ConnectionReset();
  }

  #strike(facts: RequestFacts): readonly FaultEffect[] {
    const effects: FaultEffect[] = [];
    for (const armed of this.#armed) {
      const { rule } = armed;
      if (!rule.match(facts)) continue;
      armed.matches++;
      if (rule.nth !== undefined && armed.matches !== rule.nth) continue;
      if (armed.struck >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      armed.struck++;
      effects.push(rule.effect);
    }
    return effects;
  }

  #watchOpened(facts: RequestFacts, stream: LineStream, effects: readonly FaultEffect[]): void {
    const open = { facts, stream };
    this.#watches.add(open);
    stream.onClose(() => this.#watches.delete(open));
    for (const effect of effects) if (effect.kind === 'watch') this.#spoil(stream, effect);
  }

  #spoil(stream: LineStream, effect: Extract<FaultEffect, { kind: 'watch' }>): void {
    const strike = () => {
      if (effect.mode === 'silent') stream.mute();
      else if (effect.mode === 'break') stream.fail(new ConnectionReset());
      else stream.holdBack((release) => this.#clock.after(effect.ms ?? 0, release));
    };
    if (effect.afterMs === undefined) strike();
    else stream.onClose(this.#clock.after(effect.afterMs, strike));
  }

  #onChange({ event, origin }: StoreChange): void {
    if (!isCall(origin) || (this.#writeObservers.size === 0 && this.#crashes.size === 0)) return;
    const record = writeRecord(origin, event);
    for (const observer of this.#writeObservers) observer(record);
    for (const crash of this.#crashes) {
      if (!crash.match(record) || --crash.left > 0) continue;
      this.#crashes.delete(crash);
      this.#crashed = true;
      crash.run(record);
    }
  }
}

function isCall(origin: unknown): origin is Call {
  return typeof origin === 'object' && origin !== null && 'info' in origin;
}

function writeRecord({ info, type, identity, body }: Call, event: StoreChange['event']): WriteRecord {
  const { name, namespace } = event.object.metadata;
  return {
    verb: info.verb,
    resource: type.storage,
    subresource: info.subresource,
    namespace,
    name,
    user: identity.user,
    before: event.previous,
    after: event.object,
    type: event.type,
    body,
  };
}

const FAILURES: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  409: ['Conflict', 'the server reported a conflict'],
  410: ['Expired', 'The resourceVersion for the provided watch is too old.'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  500: ['InternalError', 'Internal error occurred: the embedded cluster was asked to fail'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'Timeout: request did not complete within the allotted timeout'],
};

function failure({ status, message, retryAfterSeconds }: Extract<FaultEffect, { kind: 'fail' }>): ApiError {
  const [reason, usual] = FAILURES[status] ?? ['', `the server answered ${status}`];
  const wait = retryAfterSeconds ?? (status === 429 ? 1 : undefined);
  return new ApiError(status, reason, message ?? usual, wait === undefined ? {} : { retryAfterSeconds: wait });
}
