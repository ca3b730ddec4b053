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
