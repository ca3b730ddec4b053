import type { AnswerOf } from '../../contract/operations.ts';
import { keepersOf } from '../../domain/desired/wanted-up.ts';
import { stateText } from '../../domain/schedule/wording.ts';
import { standDownSummary } from '../../domain/stops/stand-down-state.ts';
import { countingActs } from '../../service/desired.ts';
import { hostsIn } from '../../state/wake-payload.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { instant, instantField, wireLicense, wireManual, wireOverride, wireTransition } from '../outlook/wire.ts';
import { goingDown } from '../resources/would-sleep.ts';
import { nextFlipAt, unactedOf } from '../schedule/forecast.ts';

export function hibernationStatus(outlook: Outlook): AnswerOf<'hibernationStatus'> {
  const { desired, compiled, stood, state, schedule, transition, workloads, now } = outlook;
  const { config } = compiled;
  const acts = countingActs(outlook.deciding, schedule, now);
  return {
    clusterName: config.clusterName,
    active: isDown(outlook),
    state,
    ...instantField('since', outlook.since),
    sentence: sentence(outlook),
    wanted: desired.wanted,
    reason: desired.reason,
    ...instantField('nextChangeAt', desired.nextChangeAt),
    timezone: config.workingHours.timezone,
    dryRun: config.operations.dryRun,
    standDown: standDownSummary(stood),
    causes: [...desired.causes],
    license: wireLicense(outlook.license),
    wakeOverride: acts.wakeOverride === undefined ? null : wireOverride(acts.wakeOverride),
    manualHibernation: acts.manualHibernation === undefined ? null : wireManual(acts.manualHibernation),
    unacted: unactedOf(outlook),
    transition: wireTransition(transition),
    workloads: { ...workloads.counts, wouldSleep: goingDown(outlook) },
    ...keptUpBy(outlook),
  };
}

/** Sessions that name resources leave the cluster asleep, so its own reason does not speak of them. */
function keptUpBy({ desired, compiled, workloads }: Outlook): Pick<AnswerOf<'hibernationStatus'>, 'keptUp'> {
  if (desired.keepAwake.length === 0) return {};
  const keepers = keepersOf(desired, compiled.config.externalWake.excludedNamespaces);
  const ends = Map.groupBy(desired.keepAwake, ({ cluster }) => cluster);
  const kept = workloads.managed
    .filter(({ skipped }) => skipped === undefined)
    .flatMap(({ workload }) => keepers(workload).map(({ cluster }) => cluster));
  const keptUp = [...ends].map(([cluster, sessions]) => ({
    cluster,
    until: instant(Math.max(...sessions.map(({ until }) => until))),
    workloads: kept.filter((keeper) => keeper === cluster).length,
  }));
  return { keptUp };
}

/** For people who need not sign in: no names of persons, workloads or namespaces. */
export function publicHibernationStatus(
  outlook: Outlook,
  progress: { readonly up: number; readonly total: number } | undefined,
): AnswerOf<'publicHibernationStatus'> {
  const { compiled, state, desired } = outlook;
  return {
    clusterName: compiled.config.clusterName,
    active: isDown(outlook),
    state,
    timezone: compiled.config.workingHours.timezone,
    ...instantField('nextChangeAt', desired.nextChangeAt),
    ...(state === 'waking' && progress !== undefined ? { progress } : {}),
  };
}

export function isDown({ state }: Outlook): boolean {
  return state === 'hibernated' || state === 'hibernating';
}

/** `Awake until 20:00 (Europe/Berlin), 142 of 142 up`. */
function sentence(outlook: Outlook): string {
  const { desired, schedule, state, now, workloads } = outlook;
  const counted = `${workloads.counts.up} of ${workloads.counts.managed} up`;
  if (desired.causes.length > 0) return `${desired.reason.text}, ${counted}`;
  if (state === 'waking') return `${wakingText(outlook)}, ${counted}`;
  if (state === 'hibernating') return `Going to sleep, ${counted}`;
  const words = state === 'awake' ? 'Awake' : 'Hibernated';
  const until = (desired.wanted === 'awake') === (state === 'awake') ? nextFlipAt(outlook) : undefined;
  // A time zone belongs to a time.
  const said = until === undefined ? words : stateText(schedule, words, now, until);
  return `${said}, ${counted}`;
}

function wakingText({ transition, schedule, now }: Outlook): string {
  const hosts = hostsIn(transition?.payload);
  if (hosts.length === 0) return 'Waking up';
  const names = hosts.map(({ cluster }) => cluster).join(', ');
  const last = Math.max(...hosts.map(({ until }) => until));
  return stateText(schedule, `Waking up, waiting for hosting cluster ${names}`, now, last);
}
