import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManagedStateStore } from '../../src/adapters/cluster/managed-state-store.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { compareRecords, type WorkloadRecord } from '../../src/domain/record/record.ts';
import { notStoodDown } from '../../src/domain/stops/stand-down-state.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { partSizes } from '../../src/state/parts/state-part.ts';
import { resourceStates } from '../../src/state/resource-states.ts';
import { StateSession } from '../../src/state/session/state-session.ts';
import { stateSize, stateSizeLimits } from '../../src/state/size.ts';
import { set } from '../../src/state/snapshot.ts';
import { standDown } from '../../src/state/stand-down.ts';
import { embeddedSubject, realSubject, type Subject } from '../contract/subject.ts';

const at = Date.UTC(2026, 0, 5, 12);
const namespace = 'outgrown';

/** Names as long as names may be, each in a namespace of its own: the most that a record takes. */
function records(count: number, replicas = 3): readonly WorkloadRecord[] {
  const long = (prefix: string, index: number) => `${prefix}-${index}-`.padEnd(63, 'x');
  return Array.from({ length: count }, (_, index): WorkloadRecord => {
    const uid = `9f1c0000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    return { kind: 'Deployment', namespace: long('team', index), name: long('app', index), uid, replicas, at };
  }).toSorted(compareRecords);
}

describe.each([
  ['the embedded cluster', embeddedSubject],
  ['the real cluster', realSubject],
])('a state that has outgrown one ConfigMap, on %s,', (_, make) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await make();
    await subject.client.create(resources.namespaces, undefined, { metadata: { name: namespace } });
  });
  afterAll(() => subject?.close());

  const store = () =>
    new ManagedStateStore({
      client: subject.client,
      namespace,
      logger: silentLogger,
      collects: true,
      sizes: partSizes,
    });
  const configMaps = async () => (await subject.client.list(resources.configMaps, { namespace })).items;
  const partNames = async () =>
    (await configMaps()).flatMap(({ metadata }) => (metadata?.name?.startsWith('svc-state-') ? [metadata.name] : []));

  it('holds 12,000 records of the longest names, each ConfigMap within its bounds, and gives them back', async () => {
    const session = await StateSession.open(store());
    await session.write(set(resourceStates, records(12_000)));
    const sizes = (await configMaps()).filter(({ metadata }) => metadata?.name?.startsWith('svc-state'));
    expect(sizes.length).toBeGreaterThan(4);
    for (const { data } of sizes) expect(stateSize(data).bytes).toBeLessThanOrEqual(stateSizeLimits.warning);
    const found = (await StateSession.open(store())).get(resourceStates);
    expect(found.toSorted(compareRecords)).toEqual(records(12_000));
  });

  it('is not written by who decided on an older one', async () => {
    const late = await StateSession.open(store());
    await (await StateSession.open(store())).write(set(resourceStates, records(11_990)));
    const before = await partNames();
    await expect(late.write(set(resourceStates, []))).rejects.toThrow('somebody else wrote the state first');
    expect(await partNames()).toEqual(before);
  });

  it('makes room for a stop when its own records fill svc-state to the last byte', async () => {
    const session = await StateSession.open(store());
    await session.write(set(resourceStates, records(100)));
    const state = (await store().read()).data;
    const ref = { namespace, name: 'svc-state' };
    const note = 'x'.repeat(stateSizeLimits.hard - stateSize(state).bytes);
    await subject.client.patch(resources.configMaps, ref, { type: 'merge', body: { data: { note } } });
    const full = await StateSession.open(store());
    await full.write(set(standDown, { ...notStoodDown, configuration: { at } }));
    const after = await StateSession.open(store());
    expect(after.get(standDown).configuration).toEqual({ at });
    expect(after.get(resourceStates).toSorted(compareRecords)).toEqual(records(100));
  });

  it('leaves nothing behind when everything is back', async () => {
    await (await StateSession.open(store())).write(set(resourceStates, []));
    expect(await partNames()).toEqual([]);
  });
});
