import type { TransportRequest } from '../../../src/ports/transport.ts';
import { type FaultPlan, isWatch, isWrite, type RequestFault } from './faulty-transport.ts';

export interface ArmedFault {
  readonly fault: RequestFault;
  readonly match: (request: TransportRequest) => boolean;
  /** Strikes the n-th match (1 is the next). */
  nth: number;
  /** How many strikes are left. */
  left: number;
}

/** The faults that wait for a request of the controller, and an outage of the whole apiserver. */
export class ActiveFaults implements FaultPlan {
  #armed: ArmedFault[] = [];
  readonly #onCrash: () => void;
  readonly #onStrike: (fault: RequestFault, request: TransportRequest) => void;
  outage = false;

  constructor(onCrash: () => void, onStrike: (fault: RequestFault, request: TransportRequest) => void = () => {}) {
    this.#onCrash = onCrash;
    this.#onStrike = onStrike;
  }

  arm(fault: RequestFault, on: 'writes' | 'reads' | 'all', nth: number, times = 1): void {
    const match = (request: TransportRequest) => {
      if (isWatch(request)) return on === 'all';
      return on === 'all' || isWrite(request) === (on === 'writes');
    };
    this.#armed.push({ fault, match, nth, left: times });
  }

  /** Strikes the next requests that match. */
  armOn(match: ArmedFault['match'], fault: RequestFault, times = Number.POSITIVE_INFINITY): void {
    this.#armed.push({ fault, match, nth: 1, left: times });
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
    if (this.outage) return { kind: 'reset', done: false };
    for (const armed of this.#armed) {
      if (!armed.match(request) || --armed.nth > 0) continue;
      if (--armed.left <= 0) this.#armed = this.#armed.filter((other) => other !== armed);
      this.#onStrike(armed.fault, request);
      return armed.fault;
    }
    return undefined;
  }
}
