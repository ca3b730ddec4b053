import { settingsView } from '../../config/config.ts';
import type { AnswerOf } from '../../contract/operations.ts';
import { auditCsv } from '../../domain/audit/csv.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import { readEntries } from '../../domain/audit/entry-text.ts';
import { filterAudit } from '../../domain/audit/query.ts';
import { isOff } from '../../ports/off.ts';
import { outbox } from '../../state/outbox.ts';
import { reportOf } from '../features.ts';
import type { Deliveries } from '../notifications/deliveries.ts';
import type { ApiPorts } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { type Handlers, RawAnswer } from '../server/call.ts';
import { type ManagedState, readOr503 } from '../state/managed-state.ts';
import type { Outlooks } from '../status/outlook.ts';
import { off } from '../status/routes.ts';
import { instant, instantField, wireLicense } from '../status/wire.ts';

const pageSize = 100;
const csvSize = 10_000;

type RecordHandlers = Pick<
  Handlers,
  'audit' | 'settings' | 'license' | 'insights' | 'costs' | 'notificationDeliveries' | 'testNotification'
>;

export function recordHandlers(
  ports: ApiPorts,
  state: ManagedState,
  outlooks: Outlooks,
  deliveries: () => Deliveries,
): RecordHandlers {
  return {
    async audit(call) {
      const { format, q, from, to, limit, ...filter } = call.query;
      const texts = await ports.audit.texts().catch((error: unknown) => {
        throw new Refusal(
          'read_failed',
          `The audit log could not be read: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      const { entries, unreadable } = readEntries(texts);
      const csv = format === 'csv';
      const found = filterAudit(withWaiting(entries, await waiting(state)), {
        ...filter,
        ...(q === undefined ? {} : { text: q }),
        ...(from === undefined ? {} : { from: Date.parse(from) }),
        ...(to === undefined ? {} : { to: Date.parse(to) }),
        limit: limit ?? (csv ? csvSize : pageSize),
      });
      if (csv) {
        call.setHeader('content-disposition', 'attachment; filename="audit.csv"');
        return new RawAnswer('text/csv; charset=utf-8', auditCsv(found.entries));
      }
      return {
        entries: found.entries.map(wireEntry),
        unreadable,
        ...(found.next === undefined ? {} : { next: found.next }),
      };
    },

    settings: () => ({ settings: [...settingsView(ports.config())], refused: ports.configRefusal() ?? null }),

    async license() {
      const { snapshot } = await readOr503(state);
      const check = outlooks.license(snapshot);
      const { license } = check;
      return {
        ...wireLicense(check),
        reason: check.reason,
        ...(license === undefined ? {} : { licensee: license.licensee, id: license.id }),
        ...instantField('issuedAt', license?.issuedAt),
        ...instantField('expiresAt', license?.expiresAt),
        ...instantField('lastLicensedAt', check.lastLicensedAt),
        ...instantField('stopAt', check.stopAt),
      };
    },

    insights: async () =>
      ports.config().insights.enabled ? reportOf(ports.features.insights) : offReport('config.insights.enabled'),
    costs: async () =>
      ports.config().awsCosts.enabled ? reportOf(ports.features.costs) : offReport('config.awsCosts.enabled'),

    async notificationDeliveries() {
      const { enabled } = ports.config().notifications;
      return { enabled, items: enabled ? [...deliveries()] : [] };
    },
    async testNotification(call) {
      if (!ports.config().notifications.enabled) throw off('config.notifications.enabled');
      const { channel } = call.body;
      const { testNotification } = ports.features;
      if (isOff(testNotification)) throw new Refusal('feature_disabled', testNotification.off);
      const sent = await testNotification(channel);
      if (sent === undefined) throw off(`config.notifications.channels.${channel}.enabled`);
      return sent;
    },
  };
}

function offReport(key: string): AnswerOf<'insights'> {
  return { enabled: false, available: false, message: `${key} is false.`, report: null };
}

/** Acts whose entry the controller has not written yet; a state that cannot be read only leaves them out. */
async function waiting(state: ManagedState): Promise<readonly AuditEntry[]> {
  const read = await state.read().catch(() => undefined);
  const decoded = read?.snapshot.read(outbox);
  return decoded?.ok === true ? decoded.value.flatMap(({ audit }) => audit ?? []) : [];
}

function withWaiting(entries: readonly AuditEntry[], more: readonly AuditEntry[]): readonly AuditEntry[] {
  const known = new Set(entries.map(({ id }) => id));
  return [...entries, ...more.filter(({ id }) => !known.has(id))];
}

function wireEntry(entry: AuditEntry): AnswerOf<'audit'>['entries'][number] {
  return JSON.parse(JSON.stringify({ ...entry, at: instant(entry.at) }));
}
