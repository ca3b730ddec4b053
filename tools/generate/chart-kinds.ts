import { builtInNames } from '../../src/domain/kinds/kind-table.ts';
import { kindNames, onWhenNamed, rowOf } from '../../src/domain/kinds/kinds.ts';
import { kindsOfKubernetes } from '../../src/domain/kinds/kinds-of-kubernetes.ts';
import { stepsOf, stepsTo } from '../../src/domain/kinds/place.ts';

/** What the chart grants for each kind that `config.targeting.kinds` may name, from the table of kinds. */
export function chartKinds(): string {
  return `${JSON.stringify(Object.fromEntries(onWhenNamed.map((kind) => [kind, grantOf(kind)])), null, 2)}\n`;
}

/** Names that no kind of the operator's own may have: what people call the kinds of the table, and what Kubernetes has itself. */
export function chartReservedKinds(): string {
  const ofKubernetes = kindsOfKubernetes.map((kind) => kind.toLowerCase());
  return `${JSON.stringify({ listed: kindNames, names: Object.fromEntries(builtInNames), ofKubernetes }, null, 2)}\n`;
}

function grantOf(kind: (typeof onWhenNamed)[number]) {
  const { group, version, plural, sleep, writtenAlong } = rowOf(kind);
  const resource = { group, version, plural, ...(writtenAlong && { writtenAlong }) };
  if (sleep.by === 'annotation') return { ...resource, annotation: sleep.name, value: sleep.value };
  const [spec, ...path] = stepsTo(sleep);
  // The admission policy holds our accounts to one place of the spec.
  if (spec !== 'spec' || path.length === 0)
    throw new Error(`${kind}: the chart knows no rule for ${stepsTo(sleep).join('.')}.`);
  if (sleep.by === 'scale') return { ...resource, path, value: 0 };
  const within = sleep.within === undefined ? {} : { within: stepsOf(sleep.within.pointer).slice(1) };
  return { ...resource, path, value: sleep.value, ...within };
}
