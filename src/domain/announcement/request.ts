import { type AuditAct, auditEntry } from '../audit/entry.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, ofEntry } from './announcement.ts';

// What people ask for through the api. What comes of it is told by whoever does it; these say who asked.

interface Asked {
  readonly id: string;
  readonly at: EpochMs;
  readonly by: string;
}

export function hibernationRequested({ id, at, by }: Asked): Announcement {
  return ofEntry(auditEntry({ id, at, kind: 'manual-hibernation', actor: by }));
}

/** `resources`: what is to be woken, when it is not the whole cluster. */
export function wakeRequested({
  id,
  at,
  by,
  resources,
}: Asked & { readonly resources?: readonly string[] }): Announcement {
  const named = resources === undefined ? {} : { details: { resources } };
  return ofEntry(auditEntry({ id, at, kind: 'wake-requested', actor: by, ...named }));
}

export function scheduleResumed({ id, at, by }: Asked): Announcement {
  return schedule({ id, at, kind: 'schedule-resumed', actor: by }, []);
}

export function overrideSet(
  { id, at, by }: Asked,
  override: { readonly date: string; readonly hours: string; readonly reason?: string },
): Announcement {
  const { date, hours, reason } = override;
  const given = reason === undefined ? {} : { reason };
  const act = { id, at, kind: 'schedule-override-set', actor: by, details: { date, hours }, ...given } as const;
  return schedule(act, [{ name: date, value: hours }]);
}

export function overrideRemoved(
  { id, at, by }: Asked,
  override: { readonly date: string; readonly hours: string },
): Announcement {
  const { date, hours } = override;
  const act = { id, at, kind: 'schedule-override-removed', actor: by, details: { date } } as const;
  return schedule(act, [{ name: date, value: `no longer ${hours}` }]);
}

export function passkeyChanged(
  { id, at, by }: Asked,
  kind: 'passkey-added' | 'passkey-removed',
  name: string,
): Announcement {
  return ofEntry(auditEntry({ id, at, kind, actor: by, details: { name } }));
}

export function calendarAddressChanged(
  { id, at, by }: Asked,
  kind: 'calendar-address-made' | 'calendar-address-revoked',
  name: string,
): Announcement {
  return ofEntry(auditEntry({ id, at, kind, actor: by, details: { name } }));
}

function schedule(act: AuditAct, facts: readonly { readonly name: string; readonly value: string }[]): Announcement {
  const audit = auditEntry(act);
  const { id, at, actor, title } = audit;
  return ofEntry(audit, {
    notice: { id, key: 'scheduleOverride', at, title, color: 'blue', facts: [{ name: 'By', value: actor }, ...facts] },
  });
}
