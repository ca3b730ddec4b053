import type { EpochMs } from '../workload.ts';

/** What a wake that somebody asked for comes to. */
export interface AskedWake {
  readonly dryRun: boolean;
  /** The cluster runs already: only the end moved. */
  readonly renewal: boolean;
  /** An earlier wake lasts longer than what was asked for. */
  readonly keptEnd: boolean;
  readonly until: EpochMs;
  /** How long the cluster is up by all that is known; absent where nothing ends it. */
  readonly awakeUntil: EpochMs | undefined;
}

/** How one of those who tell it says what differs from screen to terminal. */
export interface Teller {
  readonly time: (at: EpochMs) => string;
  /** What its reader does to move the end to an earlier time, as the end of a sentence. */
  readonly howToSetTheEnd: string;
}

/** What was asked for is stored all the same: whoever ends the dry run lets it count. */
export const dryRunText = 'Dry run: no workload is changed; the wish is kept and counts when the dry run ends.';

/** The end that is in force, whoever set it, and what comes after it. */
export function askedWakeText(wake: AskedWake, { time, howToSetTheEnd }: Teller): string {
  const { dryRun, renewal, keptEnd, until, awakeUntil = until } = wake;
  const begins = renewal ? 'The cluster already runs; it stays awake' : 'The cluster wakes up and stays awake';
  return [
    ...(dryRun ? [dryRunText] : []),
    `${begins} until ${time(until)}.`,
    ...(awakeUntil > until ? [`It is up after that too, by itself, until ${time(awakeUntil)}.`] : []),
    ...(keptEnd ? [`An earlier wake lasts longer, and is not shortened; ${howToSetTheEnd}.`] : []),
  ].join(' ');
}
