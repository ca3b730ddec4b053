import type { Chance } from '../chance.ts';
import type { SimWorld } from '../world/sim-world.ts';

/** What an actor may use. */
export interface Stage {
  readonly world: SimWorld;
  readonly chance: Chance;
  /** Runs later, in virtual time; an end of the seed does not wait for it. */
  later(ms: number, what: string, run: () => void): void;
  /** The network is at fault for that long from now. */
  troubleFor(ms: number): void;
  licenseChanged(acts: boolean): void;
}

export interface Actor {
  readonly name: string;
  readonly weight: number;
  /** Does it, and says what was done; undefined when there was nothing to do. */
  act(stage: Stage): Promise<string | undefined> | string | undefined;
}
