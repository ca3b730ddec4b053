import { auditLabel, auditTextKey } from '../../../src/adapters/cluster/audit-config-maps.ts';
import { ConfigMapStateStore } from '../../../src/adapters/cluster/config-map-state-store.ts';
import { isNotFound } from '../../../src/adapters/kubernetes/client/errors.ts';
import { resources } from '../../../src/adapters/kubernetes/client/resource-type.ts';
import type { AuditEntry } from '../../../src/domain/audit/entry.ts';
import { readEntries } from '../../../src/domain/audit/stored-entry.ts';
import { configMaps } from '../../../src/domain/names.ts';
import { type StandDownRefusal, stepStandDown } from '../../../src/domain/stops/begin-or-end-stand-down.ts';
import { type StandDownSummary, standDownSummary } from '../../../src/domain/stops/stand-down-state.ts';
import { manualHibernation } from '../../../src/state/intents/manual-hibernation.ts';
import { wakeOverride } from '../../../src/state/intents/wake-override.ts';
import { phase } from '../../../src/state/phase.ts';
import { decideAndWrite } from '../../../src/state/session/decide-and-write.ts';
import { StateSession } from '../../../src/state/session/state-session.ts';
import { decodeState, type StateEdit, type StateSnapshot, set } from '../../../src/state/snapshot.ts';
import { standDown } from '../../../src/state/stand-down.ts';
import { transitionEnvelope } from '../../../src/state/transition.ts';
import type { Stage } from './stage.ts';

// What people do through the api, written into the state with the same codecs and the same fence, and what they see.

export const ann = 'ann@example.com';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Working hours all week, or none. */
export function hours(all: 'on' | 'off') {
  return {
    workingHours: { timezone: 'Europe/Berlin', schedule: Object.fromEntries(days.map((day) => [day, all])) },
  };
}

export async function stateOf(stage: Stage): Promise<StateSnapshot> {
  const { data, resourceVersion } = await storeOf(stage).read();
  return decodeState(data, resourceVersion);
}

/** `standDown` as the api would show it. */
export async function summaryOf(stage: Stage): Promise<StandDownSummary | null> {
  const decoded = (await stateOf(stage)).read(standDown);
  if (!decoded.ok) throw new Error(decoded.message);
  return standDownSummary(decoded.value);
}

/** `POST /api/v1/stand-down`: the refusal, if it is one. */
export function postStandDown(stage: Stage, reason?: string, actor = ann): Promise<StandDownRefusal | undefined> {
  return step(stage, { type: 'admin-stands-down', actor, ...(reason === undefined ? {} : { reason }) });
}

/** `DELETE /api/v1/stand-down`. */
export function deleteStandDown(stage: Stage, actor = ann): Promise<StandDownRefusal | undefined> {
  return step(stage, { type: 'admin-ends', actor });
}

export async function hibernateByHand(stage: Stage, by = ann): Promise<void> {
  await intend(stage, () => [set(manualHibernation, { by, at: stage.now() })]);
}

export async function wakeByHand(stage: Stage, forMs: number, by = ann): Promise<void> {
  const at = stage.now();
  await intend(stage, () => [set(wakeOverride, { by, at, until: at + forMs })]);
}

let changes = 0;

async function step(stage: Stage, trigger: Parameters<typeof stepStandDown>[1]): Promise<StandDownRefusal | undefined> {
  let refusal: StandDownRefusal | undefined;
  await intend(stage, (snapshot) => {
    const current = snapshot.read(standDown);
    if (!current.ok) throw new Error(current.message);
    const context = { at: stage.now(), changeId: `admin-${stage.now()}-${changes++}` };
    const stepped = stepStandDown(current.value, trigger, context);
    refusal = stepped.refusal;
    return refusal === undefined ? [set(standDown, stepped.state)] : [];
  });
  return refusal;
}

async function intend(stage: Stage, edits: (snapshot: StateSnapshot) => readonly StateEdit[]): Promise<void> {
  await decideAndWrite(
    () => StateSession.open(storeOf(stage)),
    (snapshot) => ({ edits: edits(snapshot), answer: undefined, room: 'reserve' }),
    { tries: Number.POSITIVE_INFINITY, pause: async () => {} },
  );
}

function storeOf({ client, releaseNamespace: namespace }: Stage): ConfigMapStateStore {
  return new ConfigMapStateStore(client, { namespace, name: configMaps.state });
}

/** Oldest first. */
export async function auditOf(stage: Stage): Promise<readonly AuditEntry[]> {
  const files = await stage.client.list(resources.configMaps, {
    namespace: stage.releaseNamespace,
    labelSelector: auditLabel,
  });
  return readEntries(files.items.map(({ data }) => data?.[auditTextKey] ?? '')).entries;
}

export interface SeenEvent {
  readonly namespace: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** Events against the release's Namespace object, in both places where they land. */
export async function eventsOf({ client, releaseNamespace }: Stage): Promise<readonly SeenEvent[]> {
  const fieldSelector = `involvedObject.kind=Namespace,involvedObject.name=${releaseNamespace}`;
  const found = await Promise.all(
    [releaseNamespace, 'default'].map((namespace) => client.list(resources.events, { namespace, fieldSelector })),
  );
  return found.flatMap(({ items }) =>
    items.map(({ metadata, type = '', reason = '', message = '' }) => ({
      namespace: metadata.namespace ?? '',
      type,
      reason,
      message,
    })),
  );
}

/** Each workload's count, or whether it is suspended, by name. */
export async function levels(stage: Stage): Promise<Readonly<Record<string, number | 'suspended' | 'running'>>> {
  const { client, namespace } = stage;
  const [deployments, statefulSets, cronJobs] = await Promise.all([
    client.list(resources.deployments, { namespace }),
    client.list(resources.statefulSets, { namespace }),
    client.list(resources.cronJobs, { namespace }),
  ]);
  const counts = [...deployments.items, ...statefulSets.items].map(
    ({ metadata, spec }) => [metadata?.name ?? '', spec?.replicas ?? 1] as const,
  );
  const suspends = cronJobs.items.map(
    ({ metadata, spec }) => [metadata?.name ?? '', spec?.suspend ? 'suspended' : 'running'] as const,
  );
  return Object.fromEntries([...counts, ...suspends].toSorted(([a], [b]) => a.localeCompare(b)));
}

/** Whether the last transition ended there, and none runs. */
export async function isSettled(stage: Stage, wanted: 'awake' | 'hibernated'): Promise<boolean> {
  const snapshot = await stateOf(stage);
  const settled = snapshot.read(phase);
  const running = snapshot.read(transitionEnvelope);
  return settled.ok && settled.value?.phase === wanted && running.ok && running.value === null;
}

export function untilHibernated(stage: Stage): Promise<true> {
  return stage.until('the cluster is hibernated', async () => (await isSettled(stage, 'hibernated')) || undefined);
}

export function untilAwake(stage: Stage): Promise<true> {
  return stage.until('the cluster is awake', async () => (await isSettled(stage, 'awake')) || undefined);
}

export function untilLogged(stage: Stage, message: string): Promise<Stage['logs'][number]> {
  return stage.until(`the log says ${JSON.stringify(message)}`, async () =>
    stage.logs.find(({ msg }) => msg.startsWith(message)),
  );
}

/** The text of ConfigMap `svc-license`; an empty one counts as none. */
export async function setLicense({ client, releaseNamespace: namespace }: Stage, license: string): Promise<void> {
  const name = configMaps.license;
  try {
    await client.patch(resources.configMaps, { namespace, name }, { type: 'merge', body: { data: { license } } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(resources.configMaps, namespace, { metadata: { name }, data: { license } });
  }
}
