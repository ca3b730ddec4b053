import { type BuiltInKind, onWhenNamed, rowOf } from '../../../src/domain/kinds/kinds.ts';
import { stepsTo } from '../../../src/domain/kinds/place.ts';
import type { SeenRelease } from './rights.ts';

/** What makes a difference to how an object of the kind is put to sleep and found again; two kinds of one way are treated alike. */
function wayToSleep(kind: BuiltInKind): string {
  const { sleep, floor, applies } = rowOf(kind);
  const deep = sleep.by === 'field' && stepsTo(sleep).length > 2;
  return [
    `by ${deep ? 'a field deep within' : sleep.by}`,
    ...(floor === undefined ? [] : ['with a floor']),
    ...(applies === undefined ? [] : [`applying others, known ${applies.known}`]),
  ].join(', ');
}

/**
 * One sentence for each way to sleep of which no release of the run named a kind. What a release grants is used (`rights.ts`), so
 * the rights of one kind of each way are seen in use; those of its like come from the same lines of the chart.
 */
export function waysProblems(
  releases: readonly Pick<SeenRelease, 'features'>[],
  kinds: readonly BuiltInKind[] = onWhenNamed,
): readonly string[] {
  const features = new Set(releases.flatMap((release) => release.features));
  const seen = new Set(kinds.filter((kind) => features.has(`kind ${kind}`)).map(wayToSleep));
  const ways = Map.groupBy(kinds, wayToSleep);
  return [...ways]
    .filter(([way]) => !seen.has(way))
    .map(([way, alike]) => `${way}: no release named ${alike.join(' or ')}`);
}
