import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { levelOwner } from '../../src/adapters/cluster/level-owner.ts';
import type { Patch } from '../../src/adapters/kubernetes/client/request-options.ts';
import { resources } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { kinds } from '../../src/domain/kinds/kinds.ts';
import { configMap, cronJob, deployment } from './objects.ts';
import { eventually, exchange, refusal, type Subject } from './subject.ts';

export function patchCases(subject: () => Subject): void {
  const { configMaps, deployments, cronJobs } = resources;

  async function withDeployment(
    replicas = 0,
  ): Promise<{ namespace: string; made: Deployment; patch: (patch: Patch, options?: object) => Promise<Deployment> }> {
    const namespace = await subject().namespace();
    const { client } = subject();
    await client.create(deployments, namespace, deployment('web', replicas), { fieldManager: 'owner' });
    // Its controller writes to it once, for its status; what follows must not meet that write.
    const made = await eventually(
      () => client.get(deployments, { namespace, name: 'web' }),
      (one) => one.status?.observedGeneration === 1,
    );
    return {
      namespace,
      made,
      patch: (patch, options = {}) => subject().client.patch(deployments, { namespace, name: 'web' }, patch, options),
    };
  }

  describe('a merge patch', () => {
    it('sets what it names and leaves the rest', async () => {
      const { patch } = await withDeployment();
      const after = await patch({
        type: 'merge',
        body: { metadata: { annotations: { 'svc.io/hibernated-replicas': '3' } } },
      });
      expect(after.metadata).toMatchObject({
        labels: { app: 'web' },
        annotations: { 'svc.io/hibernated-replicas': '3' },
      });
    });

    it('removes what it sets to null', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(configMaps, namespace, configMap('a', {}, { a: '1', b: '2' }));
      const body = { metadata: { labels: { a: null } } };
      const after = await subject().client.patch(configMaps, { namespace, name: 'a' }, { type: 'merge', body });
      expect(after.metadata?.labels).toEqual({ b: '2' });
    });

    it('that takes the last entry of a node selector leaves no node selector', async () => {
      const { patch } = await withDeployment();
      const selecting = (value: string | null) => ({
        type: 'merge' as const,
        body: { spec: { template: { spec: { nodeSelector: { 'svc.io/asleep': value } } } } },
      });
      const asleep = await patch(selecting('true'));
      const awake = await patch(selecting(null));
      expect([asleep, awake].map(({ spec }) => spec?.template.spec?.nodeSelector)).toEqual([
        { 'svc.io/asleep': 'true' },
        undefined,
      ]);
    });

    it('replaces a list as a whole', async () => {
      const { patch } = await withDeployment();
      const body = { spec: { template: { spec: { containers: [{ name: 'other', image: 'example.com/other:1' }] } } } };
      const after = await patch({ type: 'merge', body });
      expect(after.spec?.template.spec?.containers.map((one) => one.name)).toEqual(['other']);
    });

    it('with the current version is taken, replicas and annotation in one write', async () => {
      const { made, patch } = await withDeployment();
      const metadata = {
        resourceVersion: made.metadata?.resourceVersion,
        annotations: { 'svc.io/hibernated-replicas': '3' },
      };
      const after = await patch({ type: 'merge', body: { metadata, spec: { replicas: 1 } } });
      expect([after.spec?.replicas, after.metadata?.annotations?.['svc.io/hibernated-replicas']]).toEqual([1, '3']);
    });

    it('with an old version is a conflict and changes nothing', async () => {
      const { namespace, made, patch } = await withDeployment();
      await patch({ type: 'merge', body: { metadata: { labels: { x: 'y' } } } });
      const body = { metadata: { resourceVersion: made.metadata?.resourceVersion }, spec: { replicas: 5 } };
      const error = await refusal(patch({ type: 'merge', body }));
      expect([error.status, error.reason, error.message]).toEqual([
        409,
        'Conflict',
        'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
      ]);
      expect((await subject().client.get(deployments, { namespace, name: 'web' })).spec?.replicas).toBe(0);
    });

    it('of the spec or the annotations raises the generation of a Deployment, one of the labels does not', async () => {
      const { patch } = await withDeployment();
      const labelled = await patch({ type: 'merge', body: { metadata: { labels: { a: '1' } } } });
      const annotated = await patch({ type: 'merge', body: { metadata: { annotations: { a: '1' } } } });
      const scaled = await patch({ type: 'merge', body: { spec: { replicas: 1 } } });
      expect([labelled, annotated, scaled].map((one) => one.metadata?.generation)).toEqual([1, 2, 3]);
    });

    it('of something that is not there is 404', async () => {
      const namespace = await subject().namespace();
      const body = { metadata: { labels: { a: 'b' } } };
      expect(
        (await refusal(subject().client.patch(configMaps, { namespace, name: 'none' }, { type: 'merge', body })))
          .status,
      ).toBe(404);
    });

    it('of another uid is refused', async () => {
      const { patch } = await withDeployment();
      const body = { metadata: { uid: '00000000-0000-0000-0000-000000000000' }, spec: { replicas: 1 } };
      expect((await refusal(patch({ type: 'merge', body }))).status).toBe(422);
    });

    it('removes and sets keys of a ConfigMap', async () => {
      const namespace = await subject().namespace();
      await subject().client.create(configMaps, namespace, configMap('state', { a: '1', b: '2' }));
      const body = { data: { a: null, c: '3' } };
      const after = await subject().client.patch(configMaps, { namespace, name: 'state' }, { type: 'merge', body });
      expect(after.data).toEqual({ b: '2', c: '3' });
    });

    it('as a dry run is answered and not kept', async () => {
      const { namespace, patch } = await withDeployment();
      expect((await patch({ type: 'merge', body: { spec: { replicas: 4 } } }, { dryRun: true })).spec?.replicas).toBe(
        4,
      );
      expect((await subject().client.get(deployments, { namespace, name: 'web' })).spec?.replicas).toBe(0);
    });
  });

  describe('a JSON patch', () => {
    it('replaces, adds and removes', async () => {
      const { patch } = await withDeployment();
      const operations = [
        { op: 'replace', path: '/spec/replicas', value: 2 },
        { op: 'add', path: '/metadata/annotations', value: { 'svc.io/a': '1' } },
        { op: 'remove', path: '/metadata/labels/app' },
      ] as const;
      const after = await patch({ type: 'json', operations });
      expect([after.spec?.replicas, after.metadata?.annotations, after.metadata?.labels ?? {}]).toEqual([
        2,
        { 'svc.io/a': '1' },
        {},
      ]);
    });

    it('whose test fails is 422 and changes nothing', async () => {
      const { namespace, patch } = await withDeployment();
      const operations = [
        { op: 'test', path: '/spec/replicas', value: 7 },
        { op: 'replace', path: '/spec/replicas', value: 2 },
      ] as const;
      expect((await refusal(patch({ type: 'json', operations }))).status).toBe(422);
      expect((await subject().client.get(deployments, { namespace, name: 'web' })).spec?.replicas).toBe(0);
    });

    it('that removes what is not there is 422', async () => {
      const { patch } = await withDeployment();
      expect(
        (await refusal(patch({ type: 'json', operations: [{ op: 'remove', path: '/metadata/annotations/none' }] })))
          .status,
      ).toBe(422);
    });
  });

  describe('a strategic merge patch', () => {
    it('merges containers by name', async () => {
      const { patch } = await withDeployment();
      const containers = [
        { name: 'main', image: 'example.com/app:2' },
        { name: 'side', image: 'example.com/side:1' },
      ];
      const after = await patch({ type: 'strategic', body: { spec: { template: { spec: { containers } } } } });
      const images = Object.fromEntries(after.spec!.template.spec!.containers.map((one) => [one.name, one.image]));
      expect(images).toEqual({ main: 'example.com/app:2', side: 'example.com/side:1' });
    });

    it('removes a list element by its key', async () => {
      const { patch } = await withDeployment();
      const containers = [{ name: 'side', image: 'example.com/side:1' }];
      await patch({ type: 'strategic', body: { spec: { template: { spec: { containers } } } } });
      const removal = { spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } } };
      const after = await patch({ type: 'strategic', body: removal });
      expect(after.spec?.template.spec?.containers.map((one) => one.name)).toEqual(['main']);
    });
  });

  describe('server-side apply', () => {
    it('makes what is not there and owns what it set', async () => {
      const namespace = await subject().namespace();
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
      const made = await subject().client.patch(
        configMaps,
        { namespace, name: 'a' },
        { type: 'apply', body },
        { fieldManager: 'me' },
      );
      const entry = made.metadata?.managedFields?.find((one) => one.manager === 'me');
      expect([made.data, entry?.operation]).toEqual([{ k: 'v' }, 'Apply']);
    });
  });

  describe('scale', () => {
    it('is read and written through its subresource', async () => {
      const { namespace } = await withDeployment(1);
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web/scale`;
      const read = await exchange(subject().transport, 'GET', path);
      expect(read.json).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
      const written = await exchange(
        subject().transport,
        'PATCH',
        path,
        '{"spec":{"replicas":3}}',
        'application/merge-patch+json',
      );
      expect([written.status, (written.json as { spec: object }).spec]).toEqual([200, { replicas: 3 }]);
      expect((await subject().client.get(deployments, { namespace, name: 'web' })).spec?.replicas).toBe(3);
    });
  });

  describe('who owns spec.replicas', () => {
    it('is the manager that set it last', async () => {
      const { made, patch } = await withDeployment(2);
      expect(levelOwner(made, kinds.Deployment)).toBe('owner');
      const lowered = await patch(
        { type: 'merge', body: { spec: { replicas: 0 } } },
        { fieldManager: 'svc-controller' },
      );
      expect(levelOwner(lowered, kinds.Deployment)).toBe('svc-controller');
    });

    it('goes to whoever scales through the subresource, and to nobody when they scale to zero', async () => {
      const { namespace } = await withDeployment(2);
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web/scale?fieldManager=kubectl-scale`;
      const ownerAfter = async (replicas: number) => {
        const body = JSON.stringify({ spec: { replicas } });
        await exchange(subject().transport, 'PATCH', path, body, 'application/merge-patch+json');
        return levelOwner(await subject().client.get(deployments, { namespace, name: 'web' }), kinds.Deployment);
      };
      expect([await ownerAfter(3), await ownerAfter(0)]).toEqual(['kubectl-scale', '']);
    });
  });

  describe('suspend', () => {
    it('of a CronJob is set and unset, with the annotation in one write', async () => {
      const namespace = await subject().namespace();
      const { client } = subject();
      const made = await client.create(cronJobs, namespace, cronJob('report', '0 3 * * *'));
      expect(made.spec?.suspend).toBe(false);
      const metadata = { resourceVersion: made.metadata?.resourceVersion, annotations: { 'svc.io/suspended': 'true' } };
      const down = await client.patch(
        cronJobs,
        { namespace, name: 'report' },
        { type: 'merge', body: { metadata, spec: { suspend: true } } },
      );
      expect([down.spec?.suspend, down.metadata?.annotations]).toEqual([true, { 'svc.io/suspended': 'true' }]);
      const body = { metadata: { annotations: { 'svc.io/suspended': null } }, spec: { suspend: false } };
      const up = await client.patch(cronJobs, { namespace, name: 'report' }, { type: 'merge', body });
      expect([up.spec?.suspend, up.metadata?.annotations ?? {}]).toEqual([false, {}]);
    });
  });
}
