import type { AnswerOf } from '../../contract/operations.ts';
import { keepersOf } from '../../domain/desired/wanted-up.ts';
import { databasesBefore } from '../../domain/ordering/databases-before.ts';
import { sleepOrder, wakeOrder } from '../../domain/ordering/order.ts';
import type { Tier } from '../../domain/ordering/ordering.ts';
import { preflight, type WebhookInput, webhookBackends } from '../../domain/preflight/preflight.ts';
import { wouldAdd } from '../../domain/preflight/would-add.ts';
import { quietedWorkloads } from '../../domain/targeting/appliers.ts';
import { workloadKey } from '../../domain/workload.ts';
import { chosenAt } from '../../service/desired.ts';
import type { DatabaseStates } from '../../state/database-states.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { instantField } from '../outlook/wire.ts';
import type { ListedWorkload } from '../outlook/workloads-snapshot.ts';
import type { Redirect } from '../satellites/redirects.ts';
import { nextSleepAt } from '../schedule/forecast.ts';
import { goesDown } from './would-sleep.ts';

const shown = 1000;

interface PreviewFacts extends Pick<WebhookInput, 'webhooks' | 'services'> {
  readonly redirects: readonly Redirect[];
  readonly stopped: DatabaseStates;
}

/** What the next hibernation would touch and what not, and what an operator should know before it. */
export function previewOf(outlook: Outlook, facts: PreviewFacts, limit = shown): AnswerOf<'preview'> {
  const { workloads, compiled, state } = outlook;
  const { isKept, databases } = keptUpThen(outlook);
  const others = workloads.items.filter((item) => !isKept(item));
  // What a running wake brings back is up by then.
  const down = goesDown(outlook);
  const up = others.filter((item) => down(item) || (state === 'waking' && isAsleep(item)));
  const tiers = sleepOrder(
    compiled.config.hibernateOrdering,
    up.map(({ workload }) => workload),
  );
  const skipped = workloads.items.flatMap(({ workload, skipped: why }) =>
    why === undefined ? [] : [{ workload: workloadKey(workload), code: why.code, reason: why.text }],
  );
  const quieted = quietedWorkloads(
    workloads.items.filter(({ skipped: why }) => why === undefined).map(({ workload }) => workload),
  );
  const warnings = preflight({
    ...facts,
    kinds: compiled.kinds,
    quieted,
    // What its owner has at zero is not touched, so there is nothing to know of it.
    workloads: workloads.items
      .filter(({ skipped: why, state: its }) => why !== undefined || its !== 'down')
      .map(({ workload, skipped: why }) => ({
        workload,
        classification: why === undefined ? { targeted: true } : { targeted: false, reason: why },
      })),
  }).map(({ code, text, ref }) => ({ code, text, workload: workloadKey(ref) }));
  return {
    tiers: named(tiers, limit),
    wakeTiers: named(wakeTiersOf(outlook, others, facts), limit),
    ...instantField('at', nextSleepAt(outlook)),
    touched: up.length,
    databases: Object.keys(compiled.config.databases).filter(
      (name) => !databases.has(name) && !facts.stopped.get(name)?.stoppedByUs,
    ),
    redirects: facts.redirects.map((redirect) => ({ ...redirect })),
    hosts: compiled.config.externalDependencies.map(({ cluster }) => cluster),
    skipped: skipped.slice(0, limit),
    warnings: warnings.slice(0, limit),
    wouldAdd: wouldAdd({
      workloads: workloads.items.filter(({ state: its }) => its !== 'down'),
      on: compiled.kinds.on,
      quieted,
    }).map(({ kind, workloads: count, text }) => ({ kind, workloads: count, text })),
    cut: [up, skipped, warnings].some((list) => list.length > limit),
  };
}

/** Of the wake after the next hibernation: what sleeps already, and what that hibernation takes down. */
function wakeTiersOf(outlook: Outlook, items: readonly ListedWorkload[], facts: PreviewFacts): readonly Tier[] {
  const down = goesDown(outlook);
  const asleep = items.filter((item) => down(item) || isAsleep(item)).map(({ workload }) => workload);
  const classified = asleep.map((workload) => ({ workload, classification: { targeted: true } as const }));
  const first = webhookBackends({ ...facts, kinds: outlook.compiled.kinds, workloads: classified }).map(workloadKey);
  return wakeOrder(outlook.compiled.config.wakeOrdering, asleep, { first });
}

/** What other clusters keep up when the cluster next goes to sleep, as the controller will decide then. */
function keptUpThen(outlook: Outlook): {
  readonly isKept: (item: ListedWorkload) => boolean;
  readonly databases: ReadonlySet<string>;
} {
  const { workloads, compiled, deciding, schedule } = outlook;
  const { externalWake, wakeOrdering } = compiled.config;
  const at = nextSleepAt(outlook);
  if (at === undefined) return { isKept: () => false, databases: new Set() };
  const keepers = keepersOf(chosenAt(deciding, schedule, at), externalWake.excludedNamespaces);
  const isKept = ({ workload, skipped }: ListedWorkload) => skipped === undefined && keepers(workload).length > 0;
  const up = workloads.items.filter(isKept).map(({ workload }) => workload);
  return { isKept, databases: new Set(databasesBefore(wakeOrdering, up)) };
}

function isAsleep({ skipped, state }: ListedWorkload): boolean {
  return skipped === undefined && state === 'hibernated';
}

function named(tiers: readonly Tier[], limit: number) {
  let room = limit;
  return tiers.map(({ name, members }) => {
    const workloads = members.slice(0, Math.max(0, room)).map(workloadKey);
    room -= members.length;
    return { name, workloads };
  });
}
