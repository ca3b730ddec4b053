import type { ControllerLife } from '../release/controller-life.ts';
import type { Release } from '../release/release.ts';
import type { Write } from '../release/write-gate.ts';
import { deleteStandDown, hours, levels, postStandDown, summaryOf } from '../scenarios/acts.ts';

/** Where a controller is paused in a hibernation: at that lowering of it, which has landed by then or is still on its way. */
export interface PausePoint {
  readonly lowering: number;
  readonly write: 'landed' | 'on-its-way';
}

/** What is not where its owner had it, by name; empty when all is well. */
export type Misplaced = Readonly<Record<string, unknown>>;

/**
 * A controller is paused in mid-hibernation, another one takes its place, an admin stands down and everything is handed
 * back. Then the first one goes on, and so does the write that it had sent. What is not up so much later is misplaced.
 */
export async function pausedThroughHandback(release: Release, point: PausePoint, laterMs: number): Promise<Misplaced> {
  const up = await levels(release);
  const first = release.run([]);
  try {
    const paused = pauseAt(release, first, point);
    await release.configure(hours('off'));
    await release.until(`it lowers a ${point.lowering}. workload`, async () => paused.at() !== undefined);
    await release.start();
    await postStandDown(release);
    await release.until('everything is handed back', async () => (await summaryOf(release))?.handbackDone);
    first.continue();
    paused.letGo();
    await release.pass(laterMs);
    return misplaced(up, await levels(release));
  } finally {
    release.gate.onWrite = () => 'go';
    await first.kill();
    await release.configure(hours('on'));
    await deleteStandDown(release);
    await release.until('everything is up again', async () => {
      return Object.keys(misplaced(up, await levels(release))).length === 0;
    });
    await release.kill();
  }
}

function pauseAt(release: Release, life: ControllerLife, point: PausePoint) {
  const letGo = Promise.withResolvers<'go'>();
  let lowerings = 0;
  let at: Write | undefined;
  release.gate.onWrite = (write, moment) => {
    if (at !== undefined || !isLowering(write)) return 'go';
    if (moment === 'asked') lowerings++;
    const due = point.write === 'landed' ? 'done' : 'asked';
    if (moment !== due || lowerings < point.lowering) return 'go';
    life.pause();
    at = write;
    return letGo.promise;
  };
  return { at: () => at, letGo: () => letGo.resolve('go') };
}

function isLowering({ method, path, body }: Write): boolean {
  if (method !== 'PATCH' || !/\/(deployments|statefulsets|cronjobs)\//.test(path)) return false;
  return /"replicas":0\b|"suspend":true/.test(body);
}

function misplaced(up: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): Misplaced {
  return Object.fromEntries(Object.entries(now).filter(([name, level]) => level !== up[name]));
}
