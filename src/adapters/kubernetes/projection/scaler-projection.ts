import { isDeepStrictEqual } from 'node:util';
import { kindNames, rowOf, type SwitchedKind } from '../../../domain/kinds/kinds.ts';
import { stepsOf, valueAt } from '../../../domain/kinds/place.ts';
import { type Switched, workloadKey } from '../../../domain/workload.ts';
import type { WorkloadObject } from '../client/resource-type.ts';
import type { StringPool } from '../json/string-pool.ts';

interface Target {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

const none: readonly string[] = Object.freeze([]);

/** The workload that an autoscaler may raise from zero, by key, and whether it is held by our value alone. */
export function raisedBy(
  kind: SwitchedKind,
  pool: StringPool,
): (raw: WorkloadObject) => Pick<Switched, 'heals' | 'alone'> {
  const { sleep, applies } = rowOf(kind);
  if (applies?.known !== 'by its target') throw new Error(`${kind} scales no other workload.`);
  const [toTarget, toLeast] = [stepsOf(applies.target), stepsOf(applies.least)];
  const within = sleep.by === 'field' ? sleep.within : undefined;
  const toWithin = within === undefined ? [] : stepsOf(within.pointer);
  return (raw) => {
    const key = valueAt(raw, toLeast) === 0 ? targetKey(raw, valueAt(raw, toTarget) as Target | undefined) : undefined;
    return {
      heals: key === undefined ? none : [pool.text(key)],
      ...(within !== undefined && isDeepStrictEqual(valueAt(raw, toWithin), within.filled) && { alone: true }),
    };
  };
}

function targetKey({ metadata }: WorkloadObject, target: Target | undefined): string | undefined {
  const group = target?.apiVersion?.split('/')[0];
  const kind = kindNames.find((one) => one === target?.kind && rowOf(one).group === group);
  return kind && workloadKey({ kind, namespace: metadata?.namespace ?? '', name: target?.name ?? '' });
}
