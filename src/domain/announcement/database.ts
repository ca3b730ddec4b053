import { auditEntry } from '../audit/entry.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, ofEntry } from './announcement.ts';

interface DatabaseAct {
  readonly name: string;
  readonly actor: string;
  readonly at: EpochMs;
  /** When the service told it to: the same act after a crash has the same id. */
  readonly toldAt: EpochMs;
}

export function databaseStopped({ name, actor, at, toldAt }: DatabaseAct): Announcement {
  const id = `database-${name}-stopped-${toldAt}`;
  const audit = auditEntry({ id, at, kind: 'database-stopped', actor, details: { database: name } });
  return ofEntry(audit, {
    notice: {
      id,
      key: 'databaseStopped',
      at,
      title: 'Database Stopped',
      color: 'blue',
      text: `Database ${name} has been stopped.`,
      facts: [{ name: 'Initiated by', value: actor }],
    },
  });
}

export function databaseStarted({ name, actor, at, toldAt }: DatabaseAct): Announcement {
  const id = `database-${name}-started-${toldAt}`;
  return ofEntry(auditEntry({ id, at, kind: 'database-started', actor, details: { database: name } }));
}

type DatabaseLine = Pick<DatabaseAct, 'name' | 'at' | 'toldAt'>;

/** Somebody started it in the night. */
export function databaseRespected(line: DatabaseLine): Announcement {
  const message = 'A stopped database was started by somebody and is left alone until the next hibernation';
  return lineOf(line, 'respected', 'warn', message);
}

export function databaseStoppedAgain(line: DatabaseLine): Announcement {
  return lineOf(line, 'stopped-again', 'info', 'The cloud restarted a stopped database; it is stopped again');
}

export function stoppedDatabaseGone(line: DatabaseLine): Announcement {
  return lineOf(line, 'gone', 'warn', 'A database that was stopped no longer exists; its record is dropped');
}

/** What only the log is told. */
function lineOf(
  { name, at, toldAt }: DatabaseLine,
  what: string,
  level: 'info' | 'warn',
  message: string,
): Announcement {
  return { id: `database-${name}-${what}-${toldAt}`, at, log: { level, message, fields: { database: name } } };
}
