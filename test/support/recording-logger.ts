import type { LogFields, Logger, LogLevel } from '../../src/ports/logger.ts';

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Remembers what was said, by itself and by its children. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[];
  readonly #base: LogFields;

  constructor(lines: LogLine[] = [], base: LogFields = {}) {
    this.lines = lines;
    this.#base = base;
  }

  debug(message: string, fields?: LogFields): void {
    this.#note('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#note('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#note('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#note('error', message, fields);
  }

  child(fields: LogFields): RecordingLogger {
    return new RecordingLogger(this.lines, { ...this.#base, ...fields });
  }

  said(start: string): readonly LogLine[] {
    return this.lines.filter(({ message }) => message.startsWith(start));
  }

  #note(level: LogLevel, message: string, fields: LogFields | undefined): void {
    this.lines.push({ level, message, fields: { ...this.#base, ...fields } });
  }
}
