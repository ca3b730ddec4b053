import { isDeepStrictEqual } from 'node:util';
import type { KindRow } from '../../../domain/kinds/kind-row.ts';
import type { KindTable } from '../../../domain/kinds/kind-table.ts';
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

interface Scaler {
  readonly sleep: KindRow['sleep'];
  readonly applies: Extract<NonNullable<KindRow['applies']>, { known: 'by its target' }>;
  readonly kinds: () => KindTable;
}

/** The workload that an autoscaler may raise from zero, by key, and how much is ours alone of what holds it. */
export function raisedBy(
  { sleep, applies, kinds }: Scaler,
  pool: StringPool,
): (raw: WorkloadObject) => Pick<Switched, 'heals' | 'loneAfter'> {
  const [toTarget, toLeast] = [stepsOf(applies.target), stepsOf(applies.least)];
  const within = sleep.by === 'field' ? sleep.within : undefined;
  const toWithin = within === undefined ? [] : stepsOf(within.pointer);
  return (raw) => {
    const target = valueAt(raw, toTarget) as Target | undefined;
    const key = valueAt(raw, toLeast) === 0 ? targetKey(raw, target, kinds()) : undefined;
    const isOurs = within !== undefined && isDeepStrictEqual(valueAt(raw, toWithin), within.filled);
    return {
      heals: key === undefined ? none : [pool.text(key)],
      ...(isOurs && { loneAfter: toWithin.length }),
    };
  };
}

function targetKey({ metadata }: WorkloadObject, target: Target | undefined, kinds: KindTable): string | undefined {
  const { apiVersion = '', kind = '', name = '' } = target ?? {};
  if (kinds.row(kind)?.group !== apiVersion.split('/')[0]) return undefined;
  return workloadKey({ kind, namespace: metadata?.namespace ?? '', name });
}
