import { parseArgs } from 'node:util';

export const usage = `npm run bench -- soak --hours H [flags]
The controller's and the API's own bundles, as their images start them, on a real control plane with simulated nodes: a day pressed
into an hour, again and again. Owners create, delete and scale Deployments by day and by night, watches are cut, tokens are rotated, and
once an hour the apiserver is killed and started again.

  --hours H         how long (2); the day that has begun is lived to its end
  --minutes M       the same in minutes, for a short trial
  --day-minutes D   what a day is pressed into (60; a fifth of a trial of less than two hours)
  --workloads N     how many Deployments there are at first (200)
  --seed N          which owners (1)`;

export interface Wanted {
  readonly totalMs: number;
  readonly dayMs: number;
  readonly workloads: number;
  readonly seed: number;
}

const minute = 60_000;
const longestDayMinutes = 60;
const leastDayMinutes = 1;

export function parseWanted(args: readonly string[]): Wanted | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hours: { type: 'string' },
      minutes: { type: 'string' },
      'day-minutes': { type: 'string' },
      workloads: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.hours !== undefined && values.minutes !== undefined)
    throw new Error('Give --hours or --minutes, not both.');
  const minutes =
    values.minutes === undefined ? above('hours', values.hours ?? '2', 0) * 60 : above('minutes', values.minutes, 0);
  const day = values['day-minutes'];
  const dayMinutes = day === undefined ? defaultDayMinutes(minutes) : above('day-minutes', day, leastDayMinutes);
  return {
    totalMs: minutes * minute,
    dayMs: dayMinutes * minute,
    workloads: above('workloads', values.workloads, 10),
    seed: above('seed', values.seed, 0),
  };
}

/** An hour, as long as the first day is not all there is to see: growth shows from the second day on. */
function defaultDayMinutes(minutes: number): number {
  return minutes >= 2 * longestDayMinutes ? longestDayMinutes : Math.max(leastDayMinutes, minutes / 5);
}

function above(flag: string, text: string, least: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= least) return value;
  throw new Error(`--${flag} is ${JSON.stringify(text)}; it must be a number from ${least}.`);
}
