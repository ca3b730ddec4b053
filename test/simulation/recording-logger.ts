import type { LogFields, Logger, LogLevel } from '../../src/ports/logger.ts';

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Remembers what was said. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  debug(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }

  info(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }

  child(): Logger {
    return this;
  }

  said(start: string): readonly LogLine[] {
    return this.lines.filter(({ message }) => message.startsWith(start));
  }
}
