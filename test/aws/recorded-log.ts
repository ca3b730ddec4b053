import type { LogFields, Logger, LogLevel } from '../../src/ports/logger.ts';

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that remembers. */
export function recordedLog(): { readonly logger: Logger; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return { logger, lines };
}
