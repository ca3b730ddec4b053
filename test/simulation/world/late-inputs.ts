import { configMaps } from '../../../src/domain/names.ts';
import { Chance } from '../chance.ts';
import type { SimWorld } from './sim-world.ts';

export const lateInput = 'an input that comes late at a start';

/** What a controller asks for at its start, by a part of the path. */
const inputs = [
  `metadata.name%3D${configMaps.license}`,
  `metadata.name%3D${configMaps.state}`,
  '/deployments',
  '/statefulsets',
  '/cronjobs',
  '/namespaces?',
  '/horizontalpodautoscalers',
];
const one = 0.15;

/** Now and then a controller that starts knows everything but one thing for a while, and must not take that for nothing. */
export class LateInputs {
  readonly #world: SimWorld;
  /** Of its own: what else a seed draws is what it drew before there were late inputs. */
  readonly #chance: Chance;

  constructor(world: SimWorld, seed: number) {
    this.#world = world;
    this.#chance = new Chance(seed * 31 + 11);
  }

  /** How long something may be missing from now on; 0 where nothing is. */
  hold(): number {
    if (!this.#chance.happens(one)) return 0;
    const input = this.#chance.pick(inputs);
    const ms = this.#chance.between(1, 25) * 1_000;
    const { faults, clock, trace } = this.#world;
    trace.note(`* ${input} is answered ${ms / 1_000} s late`);
    const release = faults.hold(lateInput, ({ method, path }) => method === 'GET' && path.includes(input), {
      kind: 'delay',
      ms,
    });
    clock.after(ms, release);
    return ms;
  }
}
