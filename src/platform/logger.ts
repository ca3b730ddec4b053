import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import type { LogFields, Logger, LogLevel } from '../ports/logger.ts';

export interface LevelledLogger extends Logger {
  /** Takes effect at once, for this logger and its children: the level follows the configuration at run time. */
  setLevel(level: LogLevel): void;
}

export interface LoggerOptions {
  readonly process: string;
  readonly level?: LogLevel;
  readonly destination?: DestinationStream;
}

/** One JSON line a message on standard output: `{"level":"info","time":"…","process":"controller","msg":"…"}`. */
export function createLogger(options: LoggerOptions): LevelledLogger {
  const level: { current: LogLevel } = { current: options.level ?? 'info' };
  const root = pino(
    {
      level: 'debug',
      base: { process: options.process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    options.destination ?? pino.destination({ sync: true }),
  );
  return wrap(root, level);
}

const rank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

function wrap(target: Pino, level: { current: LogLevel }): LevelledLogger {
  const at = (own: LogLevel) => (message: string, fields?: LogFields) => {
    if (rank[own] >= rank[level.current]) target[own](fields ?? {}, message);
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => wrap(target.child(fields), level),
    setLevel: (next) => {
      level.current = next;
    },
  };
}
