import { describe, expect, it } from 'vitest';
import { embeddedClient } from '../../../test/support/embedded-client.ts';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import { compareRecords, type WorkloadRecord } from '../../domain/record/record.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { StateConflict } from '../../state/session/state-errors.ts';
import { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { ManagedStateStore } from './managed-state-store.ts';

const namespace = 'svc';
const at = Date.parse('2026-11-13T19:00:00Z');
const sizes = { state: 400, part: 400, value: 300 };

function records(count: number, replicas = 2): readonly WorkloadRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'Deployment',
    namespace: 'shop',
    name: `app-${String(index).padStart(3, '0')}`,
    uid: 'u',
    replicas,
    at,
  }));
}

async function world() {
  const embedded = await embeddedClient();
  const logger = new RecordingLogger();
  const storeOf = (collects = true) =>
    new ManagedStateStore({ client: embedded.client, namespace, logger, collects, sizes });
  const store = storeOf();
  const put = async (list: readonly WorkloadRecord[], into = store) =>
    (await StateSession.open(into)).write(set(resourceStates, list));
  const found = async (from = storeOf()) => {
    const decoded = (await StateSession.open(from)).read(resourceStates);
    return decoded.ok ? { ...decoded, value: decoded.value.toSorted(compareRecords) } : decoded;
  };
  const parts = () =>
    embedded.store
      .list('configmaps')
      .map(({ metadata }) => metadata.name)
      .filter((name) => /^svc-state-\d+$/.test(name))
      .toSorted();
  const named = () => {
    const { data } = embedded.store.get('configmaps', namespace, 'svc-state') as { data?: Record<string, string> };
    return (JSON.parse(data?.['continued'] ?? '{}').resource_states ?? []).toSorted() as string[];
  };
  const hear = (into: ManagedStateStore) => {
    for (const { metadata } of embedded.store.list('configmaps')) {
      const { name, uid, resourceVersion } = metadata;
      if (/^svc-state-\d+$/.test(name)) into.heardOfPart(name, { uid, resourceVersion: resourceVersion! });
    }
  };
  return { ...embedded, objects: embedded.store, logger, store, storeOf, put, found, parts, named, hear };
}

describe('a state in several ConfigMaps', () => {
  it('is written and read as one, and its parts go with what they held', async () => {
    const { put, found, parts } = await world();
    await put(records(40));
    expect([await found(), parts().length > 2]).toEqual([{ ok: true, value: records(40) }, true]);
    await put(records(40, 5));
    expect(await found()).toEqual({ ok: true, value: records(40, 5) });
    await put([]);
    expect([await found(), parts()]).toEqual([{ ok: true, value: [] }, []]);
  });

  it('labels its parts with the key that goes on in them', async () => {
    const { put, client, parts } = await world();
    await put(records(40));
    const { items } = await client.list(resources.configMaps, {
      namespace,
      labelSelector: 'svc.io/continues=resource_states',
    });
    expect(items.map(({ metadata }) => metadata?.name).toSorted()).toEqual(parts());
  });

  it.each([
    ['a part is made', 'create', /^svc-state-|^$/, 'before'],
    ['a part is made, unheard,', 'create', /^svc-state-|^$/, 'after'],
    ['svc-state names it', 'patch', /^svc-state$/, 'before'],
    ['svc-state names it, unheard,', 'patch', /^svc-state$/, 'after'],
    ['what is named no more is removed', 'delete', /^svc-state-/, 'before'],
  ] as const)('is as it was or as it should be when the process dies as %s', async (_, verb, name, when) => {
    const { put, found, parts, named, storeOf, api, hear } = await world();
    await put(records(30));
    for (let dies = 1; dies < 20; dies++) {
      const before = await found();
      let calls = 0;
      let dead = false;
      // What the dying request did is done or not; nothing that it would have done afterwards is.
      const disarm = [
        api.faults.add({
          match: (facts) => {
            const strikes = facts.resource === 'configmaps' && facts.verb === verb && name.test(facts.name);
            if (dead || !strikes || ++calls !== dies) return false;
            dead = true;
            return true;
          },
          effect: { kind: 'drop', when },
        }),
        api.faults.add({ match: () => dead, effect: { kind: 'fail', status: 500 } }),
      ];
      const wanted = records(30, dies + 2);
      await put(wanted, storeOf()).catch((error: unknown) => expect(error).toBeInstanceOf(StateConflict));
      for (const each of disarm) each();
      expect([before, { ok: true, value: wanted }]).toContainEqual(await found());
      if (!dead) break;
    }
    const next = storeOf();
    hear(next);
    await put(records(31), next);
    expect([await found(), parts()]).toEqual([{ ok: true, value: records(31) }, named()]);
  });

  it('of two writers takes the first, whole, and leaves nothing of the second', async () => {
    const { put, found, parts, storeOf } = await world();
    await put(records(30));
    const [one, other] = [storeOf(), storeOf()];
    const late = await StateSession.open(one);
    await put(records(30, 5), other);
    const kept = parts();
    await expect(late.write(set(resourceStates, records(30, 9)))).rejects.toThrow(
      'somebody else wrote the state first',
    );
    expect([await found(), parts()]).toEqual([{ ok: true, value: records(30, 5) }, kept]);
  });

  it('removes what another writer has made and not named yet only with a write that keeps that one from naming it', async () => {
    const { put, found, storeOf, hear, client } = await world();
    await put(records(30));
    const [slow, quick] = [storeOf(), storeOf()];
    const late = await StateSession.open(slow);
    // What the slow one has just made.
    await client.create(resources.configMaps, namespace, {
      metadata: {
        name: `svc-state-${late.snapshot.continuation?.next}`,
        labels: { 'svc.io/continues': 'resource_states' },
      },
    });
    hear(quick);
    await put(records(30, 5), quick);
    await expect(late.write(set(wakeOverride, { until: at, by: 'ada', at }))).rejects.toBeInstanceOf(StateConflict);
    expect(await found()).toEqual({ ok: true, value: records(30, 5) });
  });

  it('is read again while it is being written, and a part that is gone for good is empty', async () => {
    const { put, found, parts, client } = await world();
    await put(records(30));
    const [first] = parts();
    await client.delete(resources.configMaps, { namespace, name: first! });
    const decoded = await found();
    expect(decoded.ok && decoded.value.length > 0 && decoded.value.length < 30).toBe(true);
    await put(records(30));
    expect(await found()).toEqual({ ok: true, value: records(30) });
  });

  it('with a watch reads a part once, and again when somebody has edited it', async () => {
    const { put, storeOf, parts, client, hear, api } = await world();
    await put(records(30));
    const store = storeOf();
    hear(store);
    const gets: string[] = [];
    api.faults.onRequest(({ verb, name }) => {
      if (verb === 'get' && /^svc-state-\d+$/.test(name)) gets.push(name);
    });
    const news: string[] = [];
    store.onChange(() => news.push('heard'));
    await store.read();
    await store.read();
    expect([gets.length, news]).toEqual([parts().length, []]);
    const name = parts()[0]!;
    const edited = await client.get(resources.configMaps, { namespace, name });
    gets.length = 0;
    const text = edited.data!['resource_states']!.replace('"2 u"', '"7 u"');
    await client.patch(
      resources.configMaps,
      { namespace, name },
      { type: 'merge', body: { data: { resource_states: text } } },
    );
    hear(store);
    const decoded = (await StateSession.open(store)).get(resourceStates);
    expect([news, gets.length, decoded.filter((one) => 'replicas' in one && one.replicas === 7).length]).toEqual([
      ['heard'],
      1,
      1,
    ]);
  });

  it('with a watch reads a part again that a restored backup has in an older version', async () => {
    const { store, put, found, client, parts, hear, objects } = await world();
    await put(records(30));
    hear(store);
    await found(store);
    const backup = objects.backup();
    const ref = { namespace, name: parts()[0]! };
    await client.patch(resources.configMaps, ref, { type: 'merge', body: { data: { resource_states: '[]' } } });
    hear(store);
    const edited = await found(store);
    expect(edited.ok && edited.value.length).toBeLessThan(30);
    objects.restore(backup);
    hear(store);
    expect(await found(store)).toMatchObject({ ok: true, value: { length: 30 } });
  });

  it('leaves a part that somebody edited while it was replaced, and says so', async () => {
    const { put, store, parts, client, logger } = await world();
    await put(records(30));
    const session = await StateSession.open(store);
    const name = parts()[0]!;
    await client.patch(resources.configMaps, { namespace, name }, { type: 'merge', body: { data: { note: 'mine' } } });
    await session.write(set(resourceStates, records(30, 5)));
    expect(parts()).toContain(name);
    expect(logger.lines.map(({ message }) => message)).toContain(
      'A ConfigMap that is no longer part of the state could not be removed',
    );
  });

  it('that may not delete leaves its parts to who may', async () => {
    const { put, parts, named, storeOf, hear } = await world();
    await put(records(30), storeOf(false));
    await put(records(30, 5), storeOf(false));
    const left = parts().length - named().length;
    const collecting = storeOf();
    hear(collecting);
    await put(records(30, 6), collecting);
    expect([left > 1, parts()]).toEqual([true, named()]);
  });
});
