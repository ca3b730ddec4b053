import type { LogFields, Logger, LogLevel } from '../ports/logger.ts';

/**
 * The same lines as the other processes write, without the logging library: a satellite says little, and there is one for
 * every redirected service, so its memory counts.
 */
export function logLines(write: (line: string) => void, now: () => number, base: LogFields): Logger {
  const at = (level: LogLevel) => (message: string, fields?: LogFields) =>
    write(`${JSON.stringify({ level, time: new Date(now()).toISOString(), ...base, ...fields, msg: message })}\n`);
  return {
    debug() {},
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => logLines(write, now, { ...base, ...fields }),
  };
}
