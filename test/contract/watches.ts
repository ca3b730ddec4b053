import { describe, expect, it } from 'vitest';
import { ApiStatusError } from '../../src/adapters/kubernetes/client/errors.ts';
import type { KubeObject } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import type { WatchEvent } from '../../src/adapters/kubernetes/client/watch-events.ts';
import { configMap } from './objects.ts';
import { exchange, type Subject } from './subject.ts';

export function watchCases(subject: () => Subject): void {
  const { configMaps } = resources;

  /** The first events of a watch that are no bookmarks, as `TYPE name`. */
  async function firstEvents(
    options: {
      namespace: string;
      resourceVersion?: string;
      labelSelector?: string;
      fieldSelector?: string;
      sendInitialEvents?: boolean;
    },
    count: number,
    act: () => Promise<unknown> = async () => {},
  ): Promise<string[]> {
    const aborter = new AbortController();
    const stream = await subject().client.watch(configMaps, { ...options, timeoutSeconds: 30, signal: aborter.signal });
    const seen: string[] = [];
    const acting = act();
    for await (const event of stream as AsyncGenerator<WatchEvent<KubeObject>>) {
      const name = event.object.metadata?.name ?? '';
      if (event.type === 'BOOKMARK' || name === 'kube-root-ca.crt') continue;
      seen.push(`${event.type} ${name}`);
      if (seen.length === count) break;
    }
    aborter.abort();
    await acting;
    return seen;
  }

  async function versionOf(namespace: string): Promise<string> {
    return (await subject().client.list(configMaps, { namespace })).resourceVersion;
  }

  describe('a watch', () => {
    it('brings what happens after its version, in order', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const resourceVersion = await versionOf(namespace);
      const events = await firstEvents({ namespace, resourceVersion }, 3, async () => {
        await client.create(configMaps, namespace, configMap('a'));
        await client.patch(configMaps, { namespace, name: 'a' }, { type: 'merge', body: { data: { k: 'v' } } });
        await client.delete(configMaps, { namespace, name: 'a' });
      });
      expect(events).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    });

    it('resumes from an earlier version without a gap', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const resourceVersion = await versionOf(namespace);
      await client.create(configMaps, namespace, configMap('a'));
      await client.create(configMaps, namespace, configMap('b'));
      expect(await firstEvents({ namespace, resourceVersion }, 2)).toEqual(['ADDED a', 'ADDED b']);
    });

    it('with a label selector sees an object come and go with its label', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const resourceVersion = await versionOf(namespace);
      const relabel = (value: string | null) =>
        client.patch(
          configMaps,
          { namespace, name: 'a' },
          { type: 'merge', body: { metadata: { labels: { watch: value } } } },
        );
      const events = await firstEvents({ namespace, resourceVersion, labelSelector: 'watch=me' }, 3, async () => {
        await client.create(configMaps, namespace, configMap('a'));
        await relabel('me');
        await relabel(null);
        await relabel('me');
      });
      expect(events).toEqual(['ADDED a', 'DELETED a', 'ADDED a']);
    });

    it('of one name hears of that object alone', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const resourceVersion = await versionOf(namespace);
      const events = await firstEvents(
        { namespace, resourceVersion, fieldSelector: 'metadata.name=b' },
        1,
        async () => {
          await client.create(configMaps, namespace, configMap('a'));
          await client.create(configMaps, namespace, configMap('b'));
        },
      );
      expect(events).toEqual(['ADDED b']);
    });

    it('with initial events brings what is there, then the bookmark that says so', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(configMaps, namespace, configMap('a'));
      const aborter = new AbortController();
      const stream = await subject().client.watch(configMaps, {
        namespace,
        sendInitialEvents: true,
        timeoutSeconds: 30,
        signal: aborter.signal,
      });
      const seen: string[] = [];
      for await (const event of stream as AsyncGenerator<WatchEvent<KubeObject>>) {
        const name = event.object.metadata?.name ?? '';
        if (event.type === 'BOOKMARK' && event.object.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true') {
          seen.push('END');
          break;
        }
        if (name === 'a') seen.push(`${event.type} ${name}`);
      }
      aborter.abort();
      expect(seen).toEqual(['ADDED a', 'END']);
    });

    it('from a version that is yet to come, as after a restored backup, is accepted and says nothing of what is older', async () => {
      const namespace = await subject().namespace();
      const resourceVersion = String(Number(await versionOf(namespace)) + 1_000_000);
      const stream = await subject().client.watch(configMaps, {
        namespace,
        resourceVersion,
        timeoutSeconds: 4,
        signal: new AbortController().signal,
      });
      await subject().client.create(configMaps, namespace, configMap('a'));
      const heard: string[] = [];
      for await (const event of stream) heard.push(event.type);
      expect(heard).toEqual([]);
    });

    it('ends by itself after its time-out', async () => {
      const namespace = await subject().namespace();
      const resourceVersion = await versionOf(namespace);
      const stream = await subject().client.watch(configMaps, {
        namespace,
        resourceVersion,
        timeoutSeconds: 1,
        signal: new AbortController().signal,
      });
      const names: (string | undefined)[] = [];
      for await (const event of stream) if (event.type !== 'BOOKMARK') names.push(event.object.metadata?.name);
      // Every namespace is given this one by the cluster itself.
      expect(names.filter((name) => name !== 'kube-root-ca.crt')).toEqual([]);
    });

    it('from a version that is long gone is 410 Expired', async () => {
      const namespace = await subject().namespace();
      await subject().forgetOldVersions();
      const answer = await exchange(
        subject().transport,
        'GET',
        `/api/v1/namespaces/${namespace}/configmaps?watch=true&resourceVersion=1&timeoutSeconds=5`,
      );
      const lines = answer.text.trim().split('\n');
      const status =
        answer.status === 410 ? answer.json : (JSON.parse(lines[0]!) as { type: string; object: unknown }).object;
      expect(status).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
    });

    it('through the client, from a version that is long gone, fails as expired', async () => {
      const namespace = await subject().namespace();
      const failure = await (async () => {
        const stream = await subject().client.watch(configMaps, {
          namespace,
          resourceVersion: '1',
          timeoutSeconds: 5,
          signal: new AbortController().signal,
        });
        for await (const _ of stream);
      })().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApiStatusError);
      expect((failure as ApiStatusError).expired).toBe(true);
    });
  });
}
