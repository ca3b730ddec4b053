import { describe, expect, it } from 'vitest';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { configMap, deployment } from './objects.ts';
import { exchange, refusal, type Subject } from './subject.ts';

export function objectCases(subject: () => Subject): void {
  const { configMaps, deployments, events, namespaces, secrets, leases } = resources;

  describe('an object', () => {
    it('gets a uid, a version and a creation time in whole seconds', async () => {
      const namespace = await subject().namespace();
      const { metadata } = await subject().client.create(configMaps, namespace, configMap('a', { k: 'v' }));
      expect(metadata?.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
      expect(metadata?.resourceVersion).toMatch(/^\d+$/);
      expect(metadata?.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    });

    it('is found again as it was made', async () => {
      const namespace = await subject().namespace();
      const made = await subject().client.create(configMaps, namespace, configMap('a', { k: 'v' }, { l: '1' }));
      const found = await subject().client.get(configMaps, { namespace, name: 'a' });
      expect(found).toMatchObject({ data: { k: 'v' }, metadata: { uid: made.metadata?.uid, labels: { l: '1' } } });
    });

    it('that is not there is 404, in words', async () => {
      const namespace = await subject().namespace();
      const error = await refusal(subject().client.get(deployments, { namespace, name: 'none' }));
      expect([error.status, error.reason, error.message]).toEqual([
        404,
        'NotFound',
        'deployments.apps "none" not found',
      ]);
    });

    it('of the core group that is not there has no group in the words', async () => {
      const namespace = await subject().namespace();
      const error = await refusal(subject().client.get(configMaps, { namespace, name: 'none' }));
      expect(error.message).toBe('configmaps "none" not found');
    });

    it('that exists cannot be made again', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(configMaps, namespace, configMap('a'));
      const error = await refusal(subject().client.create(configMaps, namespace, configMap('a')));
      expect([error.status, error.reason, error.message]).toEqual([
        409,
        'AlreadyExists',
        'configmaps "a" already exists',
      ]);
    });

    it('cannot be made in a namespace that does not exist', async () => {
      const error = await refusal(subject().client.create(configMaps, 'no-such-namespace', configMap('a')));
      expect([error.status, error.message]).toEqual([404, 'namespaces "no-such-namespace" not found']);
    });

    it('gets a name from generateName', async () => {
      const namespace = await subject().namespace();
      const made = await subject().client.create(configMaps, namespace, { metadata: { generateName: 'gen-' } });
      expect(made.metadata?.name).toMatch(/^gen-[a-z0-9]{5}$/);
    });

    it('with a name that is none is refused with the field', async () => {
      const namespace = await subject().namespace();
      const error = await refusal(subject().client.create(configMaps, namespace, configMap('Not A Name')));
      expect([error.status, error.reason]).toEqual([422, 'Invalid']);
      expect(error.details.causes?.[0]).toMatchObject({ reason: 'FieldValueInvalid', field: 'metadata.name' });
    });

    it('made as a dry run is answered and not kept', async () => {
      const namespace = await subject().namespace();
      const made = await subject().client.create(configMaps, namespace, configMap('a'), { dryRun: true });
      expect(made.metadata?.name).toBe('a');
      expect((await refusal(subject().client.get(configMaps, { namespace, name: 'a' }))).status).toBe(404);
    });

    it('replaced with an old version is a conflict, in words', async () => {
      const namespace = await subject().namespace();
      const { client, transport } = subject();
      const first = await client.create(configMaps, namespace, configMap('a', { k: '1' }));
      await client.patch(configMaps, { namespace, name: 'a' }, { type: 'merge', body: { data: { k: '2' } } });
      const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
      const answer = await exchange(transport, 'PUT', path, JSON.stringify({ ...first, data: { k: '3' } }));
      const { reason, message } = answer.json as { readonly reason: string; readonly message: string };
      expect([answer.status, reason, message]).toEqual([
        409,
        'Conflict',
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      ]);
    });

    it('replaced with its own version gets a later one', async () => {
      const namespace = await subject().namespace();
      const { client, transport } = subject();
      const first = await client.create(configMaps, namespace, configMap('a', { k: '1' }));
      const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
      const answer = await exchange(transport, 'PUT', path, JSON.stringify({ ...first, data: { k: '2' } }));
      const second = answer.json as typeof first;
      expect(Number(second.metadata?.resourceVersion)).toBeGreaterThan(Number(first.metadata?.resourceVersion));
    });

    it('that a write does not change keeps its version', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const first = await client.create(configMaps, namespace, configMap('a', { k: '1' }), { fieldManager: 'm' });
      const again = await client.patch(
        configMaps,
        { namespace, name: 'a' },
        { type: 'merge', body: { data: { k: '1' } } },
        { fieldManager: 'm' },
      );
      expect(again.metadata?.resourceVersion).toBe(first.metadata?.resourceVersion);
    });

    it('deleted with the uid of another is a conflict and stays', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      await client.create(configMaps, namespace, configMap('a'));
      const preconditions = { uid: '00000000-0000-0000-0000-000000000000' };
      expect((await refusal(client.delete(configMaps, { namespace, name: 'a' }, { preconditions }))).status).toBe(409);
      await client.get(configMaps, { namespace, name: 'a' });
    });

    it('with a finalizer waits for it when it is deleted', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      await client.create(configMaps, namespace, { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
      await client.delete(configMaps, { namespace, name: 'a' });
      const held = await client.get(configMaps, { namespace, name: 'a' });
      expect(held.metadata?.deletionTimestamp).toBeDefined();
      await client.patch(
        configMaps,
        { namespace, name: 'a' },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      );
      expect((await refusal(client.get(configMaps, { namespace, name: 'a' }))).status).toBe(404);
    });

    it('made again after its deletion has another uid', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const first = await client.create(configMaps, namespace, configMap('a'));
      await client.delete(configMaps, { namespace, name: 'a' });
      const second = await client.create(configMaps, namespace, configMap('a'));
      expect(second.metadata?.uid).not.toBe(first.metadata?.uid);
    });
  });

  describe('limits', () => {
    it('a ConfigMap of 1,048,576 bytes is taken', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(configMaps, namespace, configMap('a', { k: 'x'.repeat(1_048_576) }));
    });

    it('one byte more is refused', async () => {
      const namespace = await subject().namespace();
      const error = await refusal(
        subject().client.create(configMaps, namespace, configMap('a', { k: 'x'.repeat(1_048_577) })),
      );
      expect([error.status, error.reason]).toEqual([422, 'Invalid']);
      expect(error.message).toMatch(/Too long: may not be more than 1048576 bytes/);
    });

    it('annotations of more than 262,144 bytes are refused', async () => {
      const namespace = await subject().namespace();
      const big = { metadata: { name: 'a', annotations: { 'example.com/k': 'x'.repeat(262_145) } } };
      const error = await refusal(subject().client.create(configMaps, namespace, big));
      expect([error.status, error.details.causes?.[0]?.field]).toEqual([422, 'metadata.annotations']);
    });

    it('negative replicas are refused with the field', async () => {
      const namespace = await subject().namespace();
      const error = await refusal(subject().client.create(deployments, namespace, deployment('web', -1)));
      expect([error.status, error.details.causes?.[0]?.field]).toEqual([422, 'spec.replicas']);
    });

    it('text that is no JSON is 400', async () => {
      const namespace = await subject().namespace();
      const answer = await exchange(
        subject().transport,
        'POST',
        `/api/v1/namespaces/${namespace}/configmaps`,
        '{not json',
      );
      expect([answer.status, (answer.json as { reason: string }).reason]).toEqual([400, 'BadRequest']);
    });

    it('a resource that nobody serves is 404', async () => {
      const answer = await exchange(subject().transport, 'GET', '/apis/apps/v1/nothings');
      expect(answer.status).toBe(404);
    });
  });

  describe('other kinds', () => {
    it('a Deployment gets its defaults', async () => {
      const namespace = await subject().namespace();
      const { replicas: _, ...spec } = deployment('web', 1).spec!;
      const made = await subject().client.create(deployments, namespace, { ...deployment('web', 1), spec });
      expect(made.spec).toMatchObject({
        replicas: 1,
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        strategy: { type: 'RollingUpdate' },
      });
      expect(made.spec?.template.spec?.restartPolicy).toBe('Always');
    });

    it("a Deployment's selector cannot change", async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      await client.create(deployments, namespace, deployment('web', 0));
      const body = {
        spec: { selector: { matchLabels: { app: 'other' } }, template: { metadata: { labels: { app: 'other' } } } },
      };
      const error = await refusal(client.patch(deployments, { namespace, name: 'web' }, { type: 'merge', body }));
      expect([error.status, error.details.causes?.[0]?.field]).toEqual([422, 'spec.selector']);
    });

    it("a Secret's stringData becomes data", async () => {
      const namespace = await subject().namespace();
      const made = await subject().client.create(secrets, namespace, {
        metadata: { name: 's' },
        stringData: { k: 'v' },
      });
      expect(made.data).toEqual({ k: 'dg==' });
    });

    it('a Lease is kept', async () => {
      const namespace = await subject().namespace();
      const made = await subject().client.create(leases, namespace, {
        metadata: { name: 'l' },
        spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
      });
      expect(made.spec?.holderIdentity).toBe('me');
    });

    it('an event about a Namespace is taken in the namespace of that name', async () => {
      const namespace = await subject().namespace();
      const event = {
        metadata: { name: 'e' },
        involvedObject: { kind: 'Namespace', name: namespace, namespace },
        reason: 'StoodDown',
        message: 'm',
        type: 'Warning',
      };
      const made = await subject().client.create(events, namespace, event);
      expect(made.metadata?.namespace).toBe(namespace);
    });

    it('an event about a Namespace without a namespace of its own is taken in default alone', async () => {
      const namespace = await subject().namespace();
      const event = {
        metadata: { generateName: 'e-' },
        involvedObject: { kind: 'Namespace', name: namespace },
        reason: 'WakeComplete',
        message: 'm',
        type: 'Normal',
      };
      expect((await subject().client.create(events, 'default', event)).metadata?.namespace).toBe('default');
      expect((await refusal(subject().client.create(events, namespace, event))).status).toBe(422);
    });

    it('nothing can be made in a namespace that is being deleted', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      await client.create(configMaps, namespace, { metadata: { name: 'hold', finalizers: ['example.com/hold'] } });
      await client.delete(namespaces, { name: namespace });
      const error = await refusal(client.create(configMaps, namespace, configMap('late')));
      expect([error.status, error.reason]).toEqual([403, 'Forbidden']);
      expect(error.message).toContain(`because it is being terminated`);
      await client.patch(
        configMaps,
        { namespace, name: 'hold' },
        { type: 'merge', body: { metadata: { finalizers: null } } },
      );
    });
  });
}
