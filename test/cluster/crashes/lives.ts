import type { Release } from '../release/release.ts';
import type { Moment } from '../release/write-gate.ts';
import { isSettled } from '../scenarios/acts.ts';

/** Where one life of the controller ends: at that write of it, before, in or after its answer. */
export interface KillPoint {
  readonly write: number;
  readonly moment: Moment;
}

/**
 * Short lives that differ in length and in the moment of death. Some die of their very first write; others get further, so
 * the work goes on however often it is cut.
 */
export function* killPoints(): Generator<KillPoint, never> {
  const writes = [1, 2, 1, 3, 2, 3, 5];
  const moments: readonly Moment[] = ['answered', 'done', 'asked', 'done', 'answered', 'asked', 'answered'];
  for (let life = 0; ; life++) {
    yield { write: writes[life % writes.length]!, moment: moments[life % moments.length]! };
  }
}

export interface Killed {
  readonly point: KillPoint;
  /** Method and path of the write at which it died. */
  readonly at: string;
}

/** Starts the controller again and again, with a real SIGKILL at each point, until the cluster is where it was sent. */
export async function throughKills(
  release: Release,
  wanted: 'awake' | 'hibernated',
  points: Generator<KillPoint, never>,
  afterEach: () => Promise<void>,
): Promise<readonly Killed[]> {
  const killed: Killed[] = [];
  for (;;) {
    const death = await oneLife(release, wanted, points.next().value);
    if (death === undefined) return killed;
    killed.push(death);
    await afterEach();
  }
}

/** Undefined when the work was done before the point was reached; the process then lives on. */
async function oneLife(
  release: Release,
  wanted: 'awake' | 'hibernated',
  point: KillPoint,
): Promise<Killed | undefined> {
  let seen = 0;
  let death: Killed | undefined;
  release.gate.onWrite = (write, moment) => {
    // A life begins by telling again what the last one may not have told: events are no step of the work.
    if (death !== undefined || write.path.includes('/events')) return 'go';
    if (moment === 'asked') seen++;
    if (moment !== point.moment || seen < point.write) return 'go';
    release.life?.killNow();
    death = { point, at: `${write.method} ${write.path.split('?')[0]}` };
    return 'drop';
  };
  await release.start();
  const { life } = release;
  await release.until('the process was killed or the work is done', async () => {
    return life?.alive === false || (death === undefined && (await isSettled(release, wanted)));
  });
  release.gate.onWrite = () => 'go';
  if (life?.alive === false && death === undefined) throw new Error(`It ended by itself. ${release.lastWords()}`);
  return death;
}
