import { describe, expect, it } from 'vitest';
import { embeddedClient } from '../../../test/support/embedded-client.ts';
import { resources } from '../kubernetes/client/resource-type.ts';
import { ConfigMapStateStore } from './config-map-state-store.ts';

const place = { namespace: 'svc', name: 'svc-state' };

async function storeOf() {
  const { store: objects, ...world } = await embeddedClient();
  return { ...world, objects, store: new ConfigMapStateStore(world.client, place) };
}

const onConfigMaps = { match: (request: { resource: string; verb: string }) => request.resource === 'configmaps' };

describe('the state ConfigMap', () => {
  it('that does not exist is an empty state without a version', async () => {
    const { store } = await storeOf();
    expect(await store.read()).toEqual({ data: {} });
  });

  it('is made by the first write, and read back', async () => {
    const { store } = await storeOf();
    const written = await store.write(await store.read(), { phase: '{}', gone: undefined });
    expect(written).toMatchObject({ outcome: 'done', state: { data: { phase: '{}' } } });
    expect(await store.read()).toMatchObject({ data: { phase: '{}' } });
  });

  it('keeps the keys that a write does not name, and loses those it removes', async () => {
    const { store } = await storeOf();
    await store.write(await store.read(), { a: '1', b: '2' });
    await store.write(await store.read(), { b: undefined, c: '3' });
    expect((await store.read()).data).toEqual({ a: '1', c: '3' });
  });

  it('is not written over what somebody else wrote meanwhile', async () => {
    const { store, client } = await storeOf();
    await store.write(await store.read(), { a: '1' });
    const base = await store.read();
    await client.patch(resources.configMaps, place, { type: 'merge', body: { data: { a: 'theirs' } } });
    expect(await store.write(base, { a: 'ours' })).toEqual({ outcome: 'conflict' });
    expect((await store.read()).data).toEqual({ a: 'theirs' });
  });

  it('made by somebody else at the same time is a conflict', async () => {
    const { store, client } = await storeOf();
    const base = await store.read();
    await client.create(resources.configMaps, 'svc', { metadata: { name: 'svc-state' } });
    expect(await store.write(base, { a: '1' })).toEqual({ outcome: 'conflict' });
  });

  it('deleted since it was read is a conflict: the decision stood on what is gone', async () => {
    const { store, client } = await storeOf();
    await store.write(await store.read(), { a: '1' });
    const base = await store.read();
    await client.delete(resources.configMaps, place);
    expect(await store.write(base, { a: '2' })).toEqual({ outcome: 'conflict' });
  });

  it('says when the apiserver takes no more', async () => {
    const { store } = await storeOf();
    expect(await store.write(await store.read(), { a: 'x'.repeat(1_048_577) })).toMatchObject({ outcome: 'too-large' });
  });

  it('whose write is answered with 500 may have been written', async () => {
    const { store, api } = await storeOf();
    const base = await store.read();
    api.faults.add({ ...onConfigMaps, effect: { kind: 'fail', status: 500 } });
    expect(await store.write(base, { a: '1' })).toMatchObject({ outcome: 'unknown' });
  });

  it('that cannot be read is not empty: the read rejects', async () => {
    const { store, api, clock } = await storeOf();
    api.faults.add({ ...onConfigMaps, effect: { kind: 'fail', status: 403 } });
    const reading = store.read().catch((error: unknown) => error);
    await clock.advance(120_000);
    expect(await reading).toBeInstanceOf(Error);
  });

  it('tells of the writes of others, not of its own', async () => {
    const { store } = await storeOf();
    let heard = 0;
    store.onChange(() => heard++);
    const written = await store.write(await store.read(), { a: '1' });
    store.heardOfVersion(written.outcome === 'done' ? written.state.resourceVersion : '');
    expect(heard).toBe(0);
    store.heardOfVersion('999999');
    expect(heard).toBe(1);
  });

  describe('of a cluster that was restored from a backup', () => {
    async function known() {
      const world = await storeOf();
      let heard = 0;
      let restored = 0;
      world.store.onChange(() => heard++);
      world.store.onRestored(() => restored++);
      await world.store.write(await world.store.read(), { a: '1' });
      const backup = world.objects.backup();
      const written = await world.store.write(await world.store.read(), { a: '2' });
      const version = written.outcome === 'done' ? written.state.resourceVersion! : '';
      return { ...world, backup, version, told: () => heard, restored: () => restored };
    }

    it('is told of once, by a read that finds less than was known', async () => {
      const { store, objects, backup, restored } = await known();
      await store.read();
      expect(restored()).toBe(0);
      objects.restore(backup);
      expect(await store.read()).toMatchObject({ data: { a: '1' } });
      await store.read();
      expect(restored()).toBe(1);
    });

    it('is news after that', async () => {
      const { store, objects, backup, version, told } = await known();
      objects.restore(backup);
      await store.read();
      store.heardOfVersion(version);
      expect(told()).toBe(1);
    });

    it('is not suspected of a watch that tells late, nor of what somebody removed and made anew', async () => {
      const { store, objects, restored } = await known();
      objects.delete('configmaps', place.namespace, place.name);
      store.heardOfVersion('1');
      await store.read();
      await store.write(await store.read(), { a: '3' });
      await store.read();
      expect(restored()).toBe(0);
    });
  });
});
