export type Act = 'churn' | 'cut' | 'rotate' | 'restart' | 'quiet' | 'hibernate' | 'wake';

export interface Step {
  /** A share of the day. */
  readonly at: number;
  readonly act: Act;
}

const step = (at: number, act: Act): Step => ({ at, act });

/**
 * One day. Every fault comes by day and by night but the apiserver's, which comes once an hour at most; a quiet window comes last
 * before each transition, when everything that was disturbed has had its time.
 */
export const day: readonly Step[] = [
  step(0.02, 'churn'),
  step(0.06, 'cut'),
  step(0.08, 'churn'),
  step(0.12, 'rotate'),
  step(0.16, 'churn'),
  step(0.2, 'restart'),
  step(0.26, 'churn'),
  step(0.3, 'cut'),
  step(0.36, 'quiet'),
  step(0.48, 'hibernate'),
  step(0.56, 'churn'),
  step(0.6, 'cut'),
  step(0.64, 'churn'),
  step(0.68, 'rotate'),
  step(0.72, 'quiet'),
  step(0.84, 'wake'),
];

const hour = 3_600_000;

/** In the first day, and then once for each hour that has passed. */
export function restartIsDue(elapsedMs: number, restarts: number): boolean {
  return restarts <= Math.floor(elapsedMs / hour);
}

/** The shortest that an apiserver grants. */
const leastTokenSeconds = 600;

/** Longer than from one new token to the next, as a kubelet rotates them; in a soak of days each but the last one ends. */
export function tokenSeconds(dayMs: number): number {
  return Math.max(leastTokenSeconds, Math.ceil((dayMs * 0.7) / 1_000));
}

/** How long nothing is done, and nothing of ours may be written. */
export function quietMs(dayMs: number): number {
  return Math.min(60_000, dayMs * 0.08);
}
