import { second, standardFigures, type WakeFigures } from '../../../src/domain/wake/verdict/figures.ts';

/**
 * The same rules in seconds instead of minutes, with some seconds between any two that a test tells apart: a machine that
 * stalls for as long sees both at once. The settle time-out is the configuration's.
 */
export const shortFigures: WakeFigures = {
  ...standardFigures,
  phase1Ms: 8 * second,
  budgetCapMs: 30 * second,
  graceMs: 12 * second,
  failOpenMarginMs: 4 * second,
  failOpenFloorMs: 12 * second,
  settleMarginMs: 2 * second,
  watchGraceMs: 2 * second,
};

export const settleTimeout = '6s';
