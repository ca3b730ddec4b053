import type { TransportRequest } from '../../../src/ports/transport.ts';
import { type FaultPlan, isWatch, isWrite, type RequestFault } from './faulty-transport.ts';

export interface ArmedFault {
  readonly fault: RequestFault;
  /** As it is counted. */
  readonly name: string;
  readonly match: (request: TransportRequest) => boolean;
  /** Strikes the n-th match (1 is the next). */
  nth: number;
  /** How many strikes are left. */
  left: number;
}

export type Strike = (fault: RequestFault, request: TransportRequest, name: string) => void;

/** The faults that wait for a request of the controller, and an outage of the whole apiserver. */
export class ActiveFaults implements FaultPlan {
  #armed: ArmedFault[] = [];
  /** Hold until they are taken away; struck after those that are armed. */
  readonly #held = new Set<Pick<ArmedFault, 'fault' | 'match' | 'name'>>();
  readonly #mono: () => number;
  readonly #onCrash: () => void;
  readonly #onStrike: Strike;
  #outage = false;
  /** Of the steady clock. */
  readonly #outages: { readonly from: number; to: number }[] = [];
  /** Hears of every request of a controller, before anything happens to it. */
  onRequest: (request: TransportRequest) => void = () => {};

  constructor(mono: () => number, onCrash: () => void, onStrike: Strike) {
    this.#mono = mono;
    this.#onCrash = onCrash;
    this.#onStrike = onStrike;
  }

  get outage(): boolean {
    return this.#outage;
  }

  set outage(now: boolean) {
    if (now && !this.#outage) this.#outages.push({ from: this.#mono(), to: Number.POSITIVE_INFINITY });
    if (this.#outage && !now) this.#outages.at(-1)!.to = this.#mono();
    this.#outage = now;
  }

  /** How much of that time of the steady clock the apiserver answered: during an outage nothing can be known. */
  answeredMs(from: number, to: number): number {
    const hidden = this.#outages.map((outage) => Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)));
    return to - from - hidden.reduce((sum, ms) => sum + ms, 0);
  }

  arm(fault: RequestFault, on: 'writes' | 'reads' | 'all', nth: number, times = 1): void {
    const match = (request: TransportRequest) => {
      if (isWatch(request)) return on === 'all';
      return on === 'all' || isWrite(request) === (on === 'writes');
    };
    this.#armed.push({ fault, name: nameOf(fault), match, nth, left: times });
  }

  /** Strikes the next requests that match. */
  armOn(match: ArmedFault['match'], fault: RequestFault, times = Number.POSITIVE_INFINITY): void {
    this.#armed.push({ fault, name: nameOf(fault), match, nth: 1, left: times });
  }

  /** Every request that matches, until the returned function is called; `clear` leaves it. */
  hold(name: string, match: ArmedFault['match'], fault: RequestFault): () => void {
    const held = { name, match, fault };
    this.#held.add(held);
    return () => this.#held.delete(held);
  }

  clear(): void {
    this.#armed = [];
    this.outage = false;
  }

  get waiting(): number {
    return this.#armed.length;
  }

  crash(): void {
    this.#onCrash();
  }

  faultOf(request: TransportRequest): RequestFault | undefined {
    this.onRequest(request);
    if (this.outage) return { kind: 'reset', done: false };
    for (const armed of this.#armed) {
      if (!armed.match(request) || --armed.nth > 0) continue;
      if (--armed.left <= 0) this.#armed = this.#armed.filter((other) => other !== armed);
      this.#onStrike(armed.fault, request, armed.name);
      return armed.fault;
    }
    for (const { name, match, fault } of this.#held) {
      if (!match(request)) continue;
      this.#onStrike(fault, request, name);
      return fault;
    }
    return undefined;
  }
}

function nameOf(fault: RequestFault): string {
  return fault.kind === 'status' ? `answer ${fault.status}` : fault.kind;
}
