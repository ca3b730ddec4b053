import { onWhenNamed, rowOf } from '../../src/domain/kinds/kinds.ts';
import { stepsTo } from '../../src/domain/kinds/place.ts';

/** What the chart grants for each kind that `config.targeting.kinds` may name, from the table of kinds. */
export function chartKinds(): string {
  return `${JSON.stringify(Object.fromEntries(onWhenNamed.map((kind) => [kind, grantOf(kind)])), null, 2)}\n`;
}

function grantOf(kind: (typeof onWhenNamed)[number]) {
  const { group, version, plural, sleep } = rowOf(kind);
  if (sleep.by === 'annotation') return { group, version, plural, annotation: sleep.name, value: sleep.value };
  const [spec, field, ...deeper] = stepsTo(sleep);
  // The admission policy holds our accounts to single fields of the spec.
  if (spec !== 'spec' || field === undefined || deeper.length > 0)
    throw new Error(`${kind}: the chart knows no rule for ${stepsTo(sleep).join('.')}.`);
  return { group, version, plural, field };
}
