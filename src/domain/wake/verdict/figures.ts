// The figures a wake is judged by. Only the settle time-out is a setting; the rest are constants, kept in one value so
// that a test cluster can run the same rules on shorter limits.

export interface WakeFigures {
  /** Phase 1: how long the cluster has to produce a started container for every replica. */
  readonly phase1Ms: number;
  /** Phase 2 of a workload that declares no start-up probe (`config.controller.workloadSettleTimeout`). */
  readonly settleTimeoutMs: number;
  /** The longest declared start-up budget that is honoured. */
  readonly budgetCapMs: number;
  /** This many restarts before it was ready, and a workload is written off. */
  readonly restartLimit: number;
  /** The band of a written-off workload that is visibly restarting. */
  readonly graceMs: number;
  /** Added to the highest workload ceiling to give the fail-open. */
  readonly failOpenMarginMs: number;
  /** The fail-open is never under this. */
  readonly failOpenFloorMs: number;
  /** Added to the end of the latest live band. */
  readonly settleMarginMs: number;
  /** A watch that fails is waited for this long before anything is judged without it; a failed watch is tried twice a minute. */
  readonly watchGraceMs: number;
}

export const second = 1_000;
export const minute = 60 * second;

export const standardFigures: WakeFigures = {
  phase1Ms: 15 * minute,
  settleTimeoutMs: 10 * minute,
  budgetCapMs: 30 * minute,
  restartLimit: 2,
  graceMs: 5 * minute,
  failOpenMarginMs: 2 * minute,
  failOpenFloorMs: 15 * minute,
  settleMarginMs: 45 * second,
  watchGraceMs: 45 * second,
};
