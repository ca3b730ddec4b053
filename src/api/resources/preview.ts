import type { AnswerOf } from '../../contract/operations.ts';
import { sleepOrder, wakeOrder } from '../../domain/ordering/order.ts';
import type { Tier } from '../../domain/ordering/ordering.ts';
import { quietedWorkloads } from '../../domain/targeting/appliers.ts';
import { preflight, type WebhookInput, webhookBackends } from '../../domain/targeting/preflight.ts';
import { workloadKey } from '../../domain/workload.ts';
import type { DatabaseStates } from '../../state/database-states.ts';
import type { Redirect } from '../satellites/redirects.ts';
import { nextSleepAt } from '../schedule/forecast.ts';
import type { Outlook } from '../status/outlook.ts';
import { instantField } from '../status/wire.ts';
import type { ListedWorkload } from './workloads-snapshot.ts';
import { goesDown } from './would-sleep.ts';

const shown = 1000;

interface PreviewFacts extends Pick<WebhookInput, 'webhooks' | 'services'> {
  readonly redirects: readonly Redirect[];
  readonly stopped: DatabaseStates;
}

/** What the next hibernation would touch and what not, and what an operator should know before it. */
export function previewOf(outlook: Outlook, facts: PreviewFacts, limit = shown): AnswerOf<'preview'> {
  const { workloads, compiled, state } = outlook;
  // What a running wake brings back is up by then.
  const down = goesDown(outlook);
  const up = workloads.items.filter((item) => down(item) || (state === 'waking' && isAsleep(item)));
  const tiers = sleepOrder(
    compiled.config.hibernateOrdering,
    up.map(({ workload }) => workload),
  );
  const skipped = workloads.items.flatMap(({ workload, skipped: why }) =>
    why === undefined ? [] : [{ workload: workloadKey(workload), code: why.code, reason: why.text }],
  );
  const warnings = preflight({
    ...facts,
    quieted: quietedWorkloads(
      workloads.items.filter(({ skipped: why }) => why === undefined).map(({ workload }) => workload),
    ),
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
    wakeTiers: named(wakeTiersOf(outlook, facts), limit),
    ...instantField('at', nextSleepAt(outlook)),
    touched: up.length,
    databases: Object.keys(compiled.config.databases).filter((name) => !facts.stopped.get(name)?.stoppedByUs),
    redirects: facts.redirects.map((redirect) => ({ ...redirect })),
    hosts: compiled.config.externalDependencies.map(({ cluster }) => cluster),
    skipped: skipped.slice(0, limit),
    warnings: warnings.slice(0, limit),
    cut: [up, skipped, warnings].some((list) => list.length > limit),
  };
}

/** Of the wake after the next hibernation: what sleeps already, and what that hibernation takes down. */
function wakeTiersOf(outlook: Outlook, facts: PreviewFacts): readonly Tier[] {
  const { workloads, compiled } = outlook;
  const down = goesDown(outlook);
  const asleep = workloads.items.filter((item) => down(item) || isAsleep(item)).map(({ workload }) => workload);
  const classified = asleep.map((workload) => ({ workload, classification: { targeted: true } as const }));
  const first = webhookBackends({ ...facts, workloads: classified }).map(workloadKey);
  return wakeOrder(compiled.config.wakeOrdering, asleep, { first });
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
