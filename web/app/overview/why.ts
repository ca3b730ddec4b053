import type { Status } from '../data/queries.ts';

export interface WhyLine {
  readonly name: string;
  readonly text?: string;
  /** An instant instead of a text. */
  readonly at?: string;
}

const rules: Readonly<Record<string, string>> = {
  wake_override: 'Somebody asked to wake it',
  manual_hibernation: 'Somebody asked to hibernate it',
  external_wake: 'Another cluster needs it',
  stand_down: 'A stand-down holds',
  license: 'The license verdict does not let the service act',
  license_not_checked: 'The license has not been checked yet',
  state_undecodable: 'A value of the state cannot be decoded',
};

/** Rule, line of the schedule, override, actor, since when and until when: whatever of it there is. */
export function whyLines(status: Status): readonly WhyLine[] {
  const { reason, standDown, wakeOverride, manualHibernation, license, transition, since, nextChangeAt } = status;
  const { keptUp = [] } = status;
  const lines: (WhyLine | undefined)[] = [
    { name: 'Rule', text: rules[reason.code] ?? 'The schedule decides' },
    { name: 'Reason', text: sentence(reason.text) },
    given('Actor', reason.actor),
    standDown?.reason === undefined ? undefined : { name: 'Given reason', text: standDown.reason },
    transition === null
      ? undefined
      : {
          name: 'Running',
          text: `${transition.kind === 'wake' ? 'Wake' : 'Hibernation'}, initiated by: ${transition.actor}`,
        },
    { name: 'Wanted', text: keptUp.length === 0 ? wanted[status.wanted] : asleepInPart },
    instant('Since', since),
    instant('Until', nextChangeAt),
    ...keptUp.map(({ cluster, until, workloads }) => ({
      name: `Cluster ${cluster} keeps ${workloads === 1 ? '1 workload' : `${workloads} workloads`} up until`,
      at: until,
    })),
    wakeOverride === null ? undefined : { name: `Kept awake by ${wakeOverride.by} until`, at: wakeOverride.until },
    manualHibernation === null
      ? undefined
      : { name: `Hibernated by ${manualHibernation.by} at`, at: manualHibernation.at },
    license.chip === null ? undefined : { name: 'License', text: `${license.chip.text}: ${license.chip.detail}` },
    status.dryRun ? { name: 'Dry run', text: 'Decisions are logged and no workload is changed.' } : undefined,
  ];
  return lines.filter((line) => line !== undefined);
}

const wanted: Readonly<Record<Status['wanted'], string>> = {
  awake: 'Everything up',
  hibernated: 'Everything asleep',
  handback: 'Everything handed back',
  nothing: 'Nothing is changed',
};

const asleepInPart = 'Everything asleep but what other clusters need';

function given(name: string, text: string | undefined): WhyLine | undefined {
  return text === undefined ? undefined : { name, text };
}

function instant(name: string, at: string | undefined): WhyLine | undefined {
  return at === undefined ? undefined : { name, at };
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
