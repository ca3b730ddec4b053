import { describe, expect, it } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { configMap } from './objects.ts';
import { exchange, refusal, type Subject } from './subject.ts';

interface ListAnswer {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

export function listCases(subject: () => Subject): void {
  const { configMaps } = resources;

  async function manyConfigMaps(count: number): Promise<string> {
    const namespace = await subject().namespace();
    const names = Array.from({ length: count }, (_, index) => `m-${String(index).padStart(3, '0')}`);
    for (const name of names) {
      const labels = { parity: Number(name.slice(2)) % 2 === 0 ? 'even' : 'odd', number: name.slice(2) };
      await subject().client.create(configMaps, namespace, configMap(name, {}, labels));
    }
    return namespace;
  }

  const listed = async (namespace: string, query: string) => {
    const answer = await exchange(subject().transport, 'GET', `/api/v1/namespaces/${namespace}/configmaps?${query}`);
    const list = answer.json as ListAnswer;
    return {
      answer,
      list,
      names: (list.items ?? []).map((item) => item.metadata.name).filter((name) => name.startsWith('m-')),
    };
  };

  describe('a list', () => {
    it('comes in pages, each object once, with what remains', async () => {
      const namespace = await manyConfigMaps(7);
      const first = await listed(namespace, 'limit=3&labelSelector=parity');
      expect(first.names).toEqual(['m-000', 'm-001', 'm-002']);
      const second = await listed(
        namespace,
        `limit=3&labelSelector=parity&continue=${encodeURIComponent(first.list.metadata.continue!)}`,
      );
      const third = await listed(
        namespace,
        `limit=3&labelSelector=parity&continue=${encodeURIComponent(second.list.metadata.continue!)}`,
      );
      expect([...first.names, ...second.names, ...third.names]).toEqual([
        'm-000',
        'm-001',
        'm-002',
        'm-003',
        'm-004',
        'm-005',
        'm-006',
      ]);
      expect(third.list.metadata.continue ?? '').toBe('');
    });

    it('keeps the version of its first page, and shows nothing that came later', async () => {
      const namespace = await manyConfigMaps(4);
      const first = await listed(namespace, 'limit=2');
      await subject().client.create(configMaps, namespace, configMap('m-999'));
      const rest = await listed(namespace, `limit=10&continue=${encodeURIComponent(first.list.metadata.continue!)}`);
      expect(rest.list.metadata.resourceVersion).toBe(first.list.metadata.resourceVersion);
      expect(rest.names).not.toContain('m-999');
    });

    it('counts what remains when no selector is given', async () => {
      const namespace = await manyConfigMaps(5);
      const first = await listed(namespace, 'limit=2');
      // Of the same version: a controller of the cluster's own may put something there meanwhile.
      const rest = await listed(namespace, `limit=500&continue=${encodeURIComponent(first.list.metadata.continue!)}`);
      expect(rest.list.items.length).toBeGreaterThanOrEqual(3);
      expect(first.list.metadata.remainingItemCount).toBe(rest.list.items.length);
    });

    it('refuses a continue token that is none', async () => {
      const namespace = await subject().namespace();
      const { answer } = await listed(namespace, 'limit=2&continue=not-a-token');
      expect(answer.status).toBe(400);
    });

    it('of the client goes through all pages', async () => {
      const namespace = await manyConfigMaps(23);
      const { items } = await subject().client.list(configMaps, { namespace, pageSize: 5, labelSelector: 'parity' });
      expect(items.map((item) => item.metadata?.name)).toHaveLength(23);
    });

    it('of a namespace that does not exist is empty', async () => {
      const { items } = await subject().client.list(configMaps, { namespace: 'no-such-namespace' });
      expect(items).toEqual([]);
    });
  });

  describe('a label selector', () => {
    const rows: [string, string, string[]][] = [
      ['equality', 'parity=even', ['m-000', 'm-002']],
      ['double equality', 'parity==odd', ['m-001', 'm-003']],
      ['inequality', 'parity!=even,parity', ['m-001', 'm-003']],
      ['a set', 'number in (001,002)', ['m-001', 'm-002']],
      ['a set that is not', 'parity,number notin (001,002)', ['m-000', 'm-003']],
      ['existence', 'parity', ['m-000', 'm-001', 'm-002', 'm-003']],
      ['absence', '!parity', []],
      ['several', 'parity=even,number=002', ['m-002']],
    ];
    let namespace: Promise<string> | undefined;
    it.each(rows)('selects by %s', async (_, selector, names) => {
      namespace ??= manyConfigMaps(4);
      expect((await listed(await namespace, `labelSelector=${encodeURIComponent(selector)}`)).names).toEqual(names);
    });

    it('that cannot be read is 400', async () => {
      const { answer } = await listed(await subject().namespace(), `labelSelector=${encodeURIComponent('a in (')}`);
      expect(answer.status).toBe(400);
    });
  });

  describe('a field selector', () => {
    it('selects by name', async () => {
      const namespace = await manyConfigMaps(3);
      expect((await listed(namespace, 'fieldSelector=metadata.name%3Dm-001')).names).toEqual(['m-001']);
    });

    it('on a field that cannot be selected is 400, in words', async () => {
      const namespace = await subject().namespace();
      const error = await refusal(subject().client.list(configMaps, { namespace, fieldSelector: 'data.k=v' }));
      expect([error.status, error.message]).toEqual([
        400,
        '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ]);
    });

    it('selects events by what they are about', async () => {
      const namespace = await subject().namespace();
      for (const kind of ['Namespace', 'ConfigMap']) {
        const event = {
          metadata: { name: kind.toLowerCase() },
          involvedObject: { kind, name: namespace, namespace },
          reason: 'R',
          message: 'm',
          type: 'Normal',
        };
        await subject().client.create(resources.events, namespace, event);
      }
      const { items } = await subject().client.list(resources.events, {
        namespace,
        fieldSelector: 'involvedObject.kind=Namespace',
      });
      expect(items.map((event) => event.metadata?.name)).toEqual(['namespace']);
    });
  });
}
