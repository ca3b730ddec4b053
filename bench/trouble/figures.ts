import { floorMs } from '../transitions/figures.ts';

/** One tier of the evening: when the last of it that may be scaled went down, counted from the schedule's edge. */
export interface TierDown {
  readonly name: string;
  readonly workloads: number;
  readonly down: number;
  readonly lastMs: number;
  /** When it has to be reached at the latest: the time-outs of the tiers before it. */
  readonly dueMs: number;
}

export interface Night {
  readonly name: string;
  readonly refused: number;
  readonly tiers: readonly TierDown[];
  /** Of the others, in the morning: how many there are, how many came up, and when the last was raised. */
  readonly morning: { readonly workloads: number; readonly up: number; readonly lastMs: number };
  /** When each write on a refused workload was sent, by workload. */
  readonly writesAt: ReadonlyMap<string, readonly number[]>;
  readonly stateWritesAt: readonly number[];
  /** Titles of the cards, in their order. */
  readonly cards: readonly string[];
  /** Those that it should have been: one for each thing that happened. */
  readonly cardsDue: readonly string[];
}

const hour = 3_600_000;
/** The pace grows to one write in 30 seconds; a try before that and after it belongs to another hour now and then. */
const mostWrites = 150;
/** As a wake without trouble: the time that the client's limits need, and half as much again. */
const spare = 1.5;

/** The most of these moments that lie within one hour, whenever that hour begins. */
export function mostWithinAnHour(moments: readonly number[]): number {
  const sorted = moments.toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [last, at] of sorted.entries()) {
    while (at - sorted[first]! >= hour) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

/** How long that many writes may take. */
export function usualMs(workloads: number): number {
  return spare * floorMs(workloads);
}

interface Judged {
  readonly words: string;
  readonly pass: boolean;
}

function paceOf({ writesAt, stateWritesAt }: Night): Judged {
  const most = Math.max(0, ...[...writesAt.values()].map(mostWithinAnHour));
  const state = mostWithinAnHour(stateWritesAt);
  const words = `at most ${most} writes an hour and workload (goal ${mostWrites}), ${state} of the state`;
  return { words, pass: most > 0 && most <= mostWrites && state <= mostWrites };
}

function tiersOf({ tiers }: Night): Judged {
  const late = tiers.filter(({ workloads, down, lastMs, dueMs }) => {
    return down < workloads || lastMs > dueMs + usualMs(workloads);
  });
  for (const { name, workloads, down, lastMs, dueMs } of tiers) {
    console.log(
      `  tier ${name}: ${down} of ${workloads} down after ${seconds(lastMs)}, due ${seconds(dueMs + usualMs(workloads))}`,
    );
  }
  const words = late.length === 0 ? 'tiers on time' : `tiers LATE: ${late.map(({ name }) => name).join(', ')}`;
  return { words, pass: late.length === 0 };
}

function morningOf({ morning: { workloads, up, lastMs } }: Night): Judged {
  const goal = usualMs(workloads);
  const words = `${up} of ${workloads} others raised within ${seconds(lastMs)} (goal ${seconds(goal)})`;
  return { words, pass: up === workloads && lastMs <= goal };
}

function cardsOf({ cards, cardsDue }: Night): Judged {
  const pass = JSON.stringify(cards) === JSON.stringify(cardsDue);
  console.log(`  cards: ${counted(cards)}${pass ? '' : `, due: ${counted(cardsDue)}`}`);
  return { words: pass ? 'one card an episode' : `${cards.length} CARDS instead of ${cardsDue.length}`, pass };
}

/** Each title once, with how often it was sent. */
function counted(titles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  return [...counts].map(([title, count]) => (count === 1 ? title : `${count} × ${title}`)).join('; ') || 'none';
}

export function report(nights: readonly Night[]): { readonly figure: string; readonly pass: boolean } {
  const judged = nights.map((night) => {
    console.log(`${night.name}: ${night.refused} refused`);
    const parts = [paceOf(night), tiersOf(night), morningOf(night), cardsOf(night)];
    return {
      words: `${night.name}: ${parts.map(({ words }) => words).join(', ')}`,
      pass: parts.every(({ pass }) => pass),
    };
  });
  return { figure: judged.map(({ words }) => words).join('; '), pass: judged.every(({ pass }) => pass) };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
