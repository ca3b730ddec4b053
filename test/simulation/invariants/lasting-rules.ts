import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { mayBeTakenDown } from '../oracle/scope.ts';
import { type ShouldBe, shouldBeOf } from '../oracle/should-be.ts';
import { levelOf, refOf } from '../oracle/workload-level.ts';
import type { SimWorld } from '../world/sim-world.ts';
import type { Circumstances } from './circumstances.ts';
import { isOwnersTonight } from './owners-tonight.ts';
import { living } from './quiet-rules.ts';
import { Violation } from './violation.ts';

const minute = 60_000;

/** While something is wrong for hours, nobody else is held up by it: neither on the way down nor on the way up. */
export function checkWhileLasting(world: SimWorld, around: Circumstances): void {
  const should = world.shouldBe();
  if (world.config.operations.dryRun && !should.stopped) return;
  // An edge went by not long ago.
  if (world.shouldBe(world.clock.now() - 45 * minute).cluster !== should.cluster) return;
  if (isHeld(world, should)) return;
  const under = world.lasting.active.map(({ name, what }) => `${name} (${what})`);
  for (const object of living(world)) {
    if (world.lasting.active.some(({ touches }) => touches(object))) continue;
    const ours = mayBeTakenDown(object, world.store, around.scope());
    const wanted = ours ? shouldBeOf(should, world.configParts, object) : 'up';
    // Up for others, and this one is not theirs: asleep it sleeps on, up it stays up until the cluster hibernates.
    if (wanted === 'down' && should.cluster === 'up') continue;
    const problem = problemOf(world, object, wanted);
    if (problem !== undefined) throw new Violation('one holds up nobody else', `${problem}, under ${under}`);
  }
}

function problemOf(world: SimWorld, object: KubeObject, wanted: 'up' | 'down'): string | undefined {
  const wish = world.owners.of(object);
  const level = levelOf(object);
  if (wish === undefined) return undefined;
  if (wanted === 'down') {
    return level > 0 && !isOwnersTonight(world, object, wish) ? `${refOf(object)} is up in the night` : undefined;
  }
  if (wish.wanted.has(level)) return undefined;
  return `${refOf(object)} is at ${level}, its owner wants ${[...wish.wanted]}`;
}

/** Where the state itself cannot be read, or has no room, nothing goes down; without the counts nothing comes up by schedule. */
function isHeld(world: SimWorld, should: ShouldBe): boolean {
  if (should.cluster === 'down') return isSleepHeld(world, should);
  // No count is guessed, not even for a stop; what the readable parts hold comes back, which a trap of its own looks at.
  return should.unsure.some((key) => key === 'resource_states' || (key === 'wake_override' && !should.stopped));
}

function isSleepHeld(world: SimWorld, should: ShouldBe): boolean {
  return should.unsure.length > 0 || world.lasting.active.some((one) => one.holdsSleep === true);
}
