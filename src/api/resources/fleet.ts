import type { AnswerOf } from '../../contract/operations.ts';
import { projectionOf } from '../../domain/insight/projection.ts';
import { sampledUses } from '../../domain/insight/sampled-uses.ts';
import type { SkipCode } from '../../domain/targeting/targeting.ts';
import type { Architecture } from '../../domain/workload.ts';
import type { Outlook } from '../outlook/outlook.ts';
import type { ListedWorkload } from '../outlook/workloads-snapshot.ts';

type Fleet = AnswerOf<'fleet'>;
type Shares = Fleet['total'];
type Share = keyof Omit<Shares, 'workloads'>;

/** Why a workload that is not ours to scale stays up, in the words of the picture. */
const shareOfSkipped: Readonly<Record<SkipCode, Share>> = {
  own_namespace: 'excluded',
  namespace_excluded: 'excluded',
  system_namespace: 'excluded',
  excluded_by_annotation: 'excluded',
  deleting: 'excluded',
  namespace_unknown: 'excluded',
  namespace_terminating: 'excluded',
  never_scale: 'neverScaled',
  deletes_volumes: 'neverScaled',
  scaled_object: 'ownedByOthers',
  operator: 'ownedByOthers',
  autoscaler_from_zero: 'ownedByOthers',
  kept_up_by_floor: 'ownedByOthers',
  frozen_by_owner: 'ownedByOthers',
  applies_nothing: 'excluded',
};

/** Which share of the fleet sleeps and what keeps the rest up; and what the coming week would save, if everything slept as planned. */
export function fleetOf(outlook: Outlook, usual: Architecture): Fleet {
  const { workloads, compiled, schedule, now } = outlook;
  const { insights, workingHours, databases } = compiled.config;
  const total = emptyShares();
  const namespaces = new Map<string, Shares>();
  for (const item of workloads.items) {
    const { namespace } = item.workload;
    const own = namespaces.get(namespace) ?? emptyShares();
    namespaces.set(namespace, own);
    const share = shareOf(item, outlook);
    for (const shares of [total, own]) {
      shares.workloads++;
      shares[share]++;
    }
  }
  const projection = projectionOf({
    now,
    timezone: workingHours.timezone,
    schedule,
    uses: sampledUses(workloads.items, insights, usual),
    databases: Object.keys(databases),
    factors: insights,
  });
  return {
    total,
    namespaces: [...namespaces]
      .toSorted(([a, one], [b, other]) => other.workloads - one.workloads || (a < b ? -1 : 1))
      .map(([namespace, shares]) => ({ namespace, ...shares })),
    projection: insights.enabled ? projection : null,
  };
}

function shareOf({ skipped, record, state }: ListedWorkload, { state: cluster }: Outlook): Share {
  if (skipped !== undefined && record === undefined) return shareOfSkipped[skipped.code];
  if (state === 'down') return 'downByOwners';
  const raised =
    cluster === 'hibernated' && record !== undefined && record.provisional !== true && state !== 'hibernated';
  return raised ? 'raisedByOwners' : 'sleeps';
}

function emptyShares(): Shares {
  return {
    workloads: 0,
    sleeps: 0,
    excluded: 0,
    neverScaled: 0,
    ownedByOthers: 0,
    raisedByOwners: 0,
    downByOwners: 0,
  };
}
