import { auditEntry } from '../audit/entry.ts';
import { targetText } from '../externalwake/session.ts';
import type { SessionChange } from '../externalwake/session-change.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, ofEntry } from './announcement.ts';

const titles = {
  started: 'External Wake Started',
  renewed: 'External Wake Renewed',
  expired: 'External Wake Expired',
  ended: 'External Wake Ended',
} as const;

const keys = {
  started: 'externalWakeStarted',
  renewed: 'externalWakeRenewed',
  expired: 'externalWakeExpired',
} as const;

/** An audit entry and a card for each change of a session; one that ended because its cluster asked for it has no card. */
export function sessionAnnouncement({ act, session, at }: SessionChange): Announcement {
  const { id, cluster, resources, expiresAt } = session;
  const title = titles[act];
  const what = resources.length === 0 ? ['the whole cluster'] : resources.map(targetText);
  const audit = {
    id: `external-wake-${act}-${id}-${at}`,
    at,
    kind: `external-wake-${act}`,
    title,
    actor: cluster,
    details: { session: id, resources: what, expiresAt: instant(expiresAt) },
  };
  if (act === 'ended') return ofEntry(auditEntry({ ...audit, kind: 'external-wake-ended' }));
  return ofEntry(audit, {
    notice: {
      id: audit.id,
      key: keys[act],
      at,
      title,
      color: 'blue',
      facts: [
        { name: 'Cluster', value: cluster },
        { name: 'Resources', value: what.join(', ') },
        { name: act === 'expired' ? 'Expired' : 'Expires', value: instant(expiresAt) },
      ],
    },
  });
}

function instant(at: EpochMs): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
