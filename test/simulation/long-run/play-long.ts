import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { faultNames } from '../fault-names.ts';
import type { Asked } from './asked.ts';
import { playOn } from './player.ts';
import { Tally } from './tally.ts';

export interface PlayedLong {
  readonly tally: Tally;
  readonly elapsedMs: number;
  /** How many had been played after each minute. */
  readonly byMinute: readonly (readonly [minute: number, seeds: number])[];
}

const minute = 60_000;

/** Plays on all cores until the time is over, and says what it sees and, at the end, what was exercised. */
export async function playLong(asked: Asked, say: (line: string) => void): Promise<PlayedLong> {
  const { hours, worlds, from = randomInt(1_000_000_000, 2_000_000_000) } = asked;
  const cores = availableParallelism();
  const beganAt = performance.now();
  const elapsed = () => performance.now() - beganAt;
  const tally = new Tally();
  const byMinute: [number, number][] = [];
  let seed = from;
  say(`Seeds from ${from} on for ${hours} h on ${cores} cores, in turn of the worlds ${worlds.join(', ')}.`);
  const watching = setInterval(() => {
    byMinute.push([byMinute.length + 1, tally.seeds]);
    process.stderr.write(`${tally.progress(elapsed())}\n`);
  }, minute);
  await playOn(
    cores,
    {
      next() {
        if (elapsed() >= hours * 60 * minute || tally.isHopeless) return undefined;
        return { seed, world: worlds[seed++ % worlds.length]! };
      },
      heard(line) {
        const broken = tally.heard(line);
        if (broken !== undefined) say(broken);
      },
      lost: (one, why) => say(tally.lost(one, why)),
    },
    // The slowest take seconds; a machine that is busy with other things takes several times as long.
    { program: fileURLToPath(new URL('./life-worker.ts', import.meta.url)), patienceMs: 300_000 },
  );
  clearInterval(watching);
  say(tally.ending(elapsed(), faultNames));
  return { tally, elapsedMs: elapsed(), byMinute };
}
