import type { KubeObject } from '../../../embedded-cluster/object-store.ts';

/** Something that is wrong for hours. */
export interface LastingFault {
  /** One of the faults that are counted. */
  readonly name: string;
  readonly what: string;
  /** Whether it can keep this workload from where it should be. */
  readonly touches: (object: KubeObject) => boolean;
  /** It keeps the cluster from going to sleep, as it should: nothing is lowered that cannot be recorded, or on a guess. */
  readonly holdsSleep?: boolean;
  /** Watches have to notice it: their housekeeping runs at its true pace meanwhile. */
  readonly atNetwork?: boolean;
  /** Puts right what was wrong. */
  stop(): void;
}

/** What is wrong at the moment, and for hours. */
export class LastingFaults {
  readonly #active = new Set<LastingFault>();

  begin(fault: LastingFault): void {
    this.#active.add(fault);
  }

  end(fault: LastingFault): void {
    if (this.#active.delete(fault)) fault.stop();
  }

  endAll(): void {
    for (const fault of [...this.#active]) this.end(fault);
  }

  holds(name: string): boolean {
    return [...this.#active].some((one) => one.name === name);
  }

  get active(): readonly LastingFault[] {
    return [...this.#active];
  }
}
