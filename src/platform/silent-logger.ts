import type { Logger } from '../ports/logger.ts';

/** Says nothing: for tests and simulations that do not look at the log. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};
