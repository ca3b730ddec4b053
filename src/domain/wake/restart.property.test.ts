// A controller that dies at any second of a wake and is back within a minute: the verdicts are those of one that lived.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Fate, fate, momentsOf, podsAt } from '../../../test/support/wake/fate.ts';
import { declaring, named, probeOf, seen, T0, wakeOf, workload } from '../../../test/support/wake/scenario.ts';
import type { EpochMs } from '../workload.ts';
import { advanceWake } from './advance.ts';
import { endOf, type WakeEnding } from './ending.ts';
import { resumeWake } from './start.ts';
import { standardFigures } from './verdict/figures.ts';
import type { WakeObservations } from './verdict/observation.ts';
import type { WakeState } from './verdict/wake-state.ts';

interface Story {
  readonly fates: readonly Fate[];
  readonly budgets: readonly (number | undefined)[];
}

const story: fc.Arbitrary<Story> = fc.record({
  fates: fc.array(fate, { minLength: 1, maxLength: 4 }),
  budgets: fc.array(fc.constantFrom(undefined, 60, 300, 1200, 3600), { minLength: 4, maxLength: 4 }),
});

const outage = fc.record({ from: fc.integer({ min: 0, max: 3_000 }), seconds: fc.integer({ min: 0, max: 60 }) });

interface Told {
  readonly wake: WakeState;
  readonly ending: WakeEnding;
}

function tell(one: Story, away?: { from: number; seconds: number }): Told {
  const moments = one.fates.map(momentsOf);
  const specs = one.budgets.map((budget, index) =>
    workload({ name: `w${index}`, containers: declaring(budget === undefined ? undefined : probeOf(budget)) }),
  );
  const script = (now: EpochMs): WakeObservations =>
    seen(
      moments.map((fated, index) =>
        named(`w${index}`, podsAt(fated, now), { reading: { kind: 'read', workload: specs[index]! } }),
      ),
    );
  const events = moments.flat().map((moment) => secondsOf(moment.from));
  const [gone, back] = away === undefined ? [0, 0] : [secondsOf(away.from), secondsOf(away.from + away.seconds)];
  let wake = wakeOf(script(T0).workloads);
  let now = T0;
  for (;;) {
    if (away !== undefined && wake.resumedAt === undefined && now >= gone) {
      now = Math.max(now, back);
      wake = resumeWake(JSON.parse(JSON.stringify(wake)) as WakeState, now);
    }
    const advanced = advanceWake(wake, script(now), now, standardFigures);
    wake = advanced.wake;
    if (advanced.nextCheckAt === undefined) return { wake, ending: endOf(wake, script(now), now, standardFigures) };
    const event = events.filter((instant) => instant > now).sort((a, b) => a - b)[0] ?? advanced.nextCheckAt;
    now = Math.min(event, advanced.nextCheckAt);
  }
}

function outcome(ending: WakeEnding, key: string): string {
  if (ending.failed.some((one) => one.workload === key)) return 'failed';
  return ending.stillStarting.some((one) => one.workload === key) ? 'still starting' : 'up';
}

const secondsOf = (seconds: number): EpochMs => T0 + seconds * 1_000;

const came = { created: 1, placing: 1, pulling: 1, pullFails: false, crashes: [], readyAfter: 1 };
/** Pulled a second after phase 1 was over, while nobody looked. */
const limitInTheOutage: [Story, { from: number; seconds: number }] = [
  { fates: [{ ...came, placing: 8, pulling: 892 }, came], budgets: Array(4).fill(undefined) },
  { from: 844, seconds: 57 },
];

/** The same, of one that crashes afterwards: at the end it is still starting, where the limit would have written it off. */
const crashesAfterTheLimit: [Story, { from: number; seconds: number }] = [
  {
    fates: [
      {
        created: 5,
        placing: 684,
        pulling: 212,
        pullFails: false,
        crashes: [
          { runs: 287, backOff: 40 },
          { runs: 144, backOff: 249 },
        ],
      },
    ],
    budgets: Array(4).fill(undefined),
  },
  { from: 859, seconds: 42 },
];

it('an outage of up to a minute, at any second', () => {
  fc.assert(
    fc.property(story, outage, (one, away) => {
      const lived = tell(one);
      const died = tell(one, away);
      for (const [index] of one.fates.entries()) {
        const key = `Deployment shop/w${index}`;
        const [before, after] = [outcome(lived.ending, key), outcome(died.ending, key)];
        // A band that opened later, or may last longer after a restart, can see a recovery that the other wake no longer saw.
        const sawMore = before === 'failed' && (died.wake.writeOffs[key]?.lift?.at ?? 0) > (lived.wake.endedAt ?? 0);
        // Nobody was there when the limit passed, and what has gone on by the time somebody looks has not failed by it.
        const dueAt = lived.wake.writeOffs[key]?.at ?? 0;
        const inTheOutage = dueAt >= secondsOf(away.from) && dueAt <= secondsOf(away.from + away.seconds);
        const wasAway = before === 'failed' && inTheOutage;
        if (!sawMore && !wasAway) expect(`${key} ${after}`).toBe(`${key} ${before}`);
      }
    }),
    { numRuns: 600, examples: [limitInTheOutage, crashesAfterTheLimit] },
  );
});

it('no outage, only a restart: the same sentences to the letter', () => {
  fc.assert(
    fc.property(story, fc.integer({ min: 0, max: 3_000 }), (one, from) => {
      const lived = tell(one);
      const died = tell(one, { from, seconds: 0 });
      if (died.wake.endedAt !== lived.wake.endedAt) return;
      expect(died.ending).toEqual(lived.ending);
    }),
    { numRuns: 600 },
  );
});
