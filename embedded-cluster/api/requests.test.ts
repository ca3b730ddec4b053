import { beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, valueAt } from '../store/json-value.ts';
import { configMap, deployment, EmbeddedApiFixture, MERGE, STRATEGIC } from './embedded-api-fixture.ts';

const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments';
const PODS = '/api/v1/namespaces/shop/pods';

describe('the API', () => {
  let fixture: EmbeddedApiFixture;

  beforeEach(async () => {
    fixture = new EmbeddedApiFixture();
    await fixture.ask('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
    await fixture.ask('POST', CONFIG_MAPS, configMap('a', {}, { k: 'v' }));
    await fixture.ask('POST', DEPLOYMENTS, deployment('web'));
  });

  it('takes null in a built-in kind for nothing, and header names in any case', async () => {
    const object = { metadata: { name: 'n', creationTimestamp: null, annotations: null }, data: { k: 'v' } };
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const transport = fixture.api.transport();
    const created = await transport.send({ method: 'POST', path: CONFIG_MAPS, headers, body: JSON.stringify(object) });
    expect([created.status, 'annotations' in fixture.store.get('configmaps', 'shop', 'n')!.metadata]).toEqual([
      201,
      false,
    ]);
    const table = await transport.send({ method: 'GET', path: CONFIG_MAPS, headers });
    for await (const text of table.body) expect(String(text)).toMatch(/^\{"kind":"Table"/);
  });

  it('answers a path that no router knows as a plain page', async () => {
    const answer = await fixture.ask('GET', '/apis/foo.io/v1/foos');
    expect([answer.status, answer.text]).toEqual([404, '404 page not found\n']);
  });

  it('refuses new content in a namespace that is being deleted', async () => {
    await fixture.ask('DELETE', '/api/v1/namespaces/shop');
    const answer = await fixture.ask('POST', CONFIG_MAPS, configMap('late'));
    expect([answer.status, answer.message]).toEqual([
      403,
      'configmaps "late" is forbidden: unable to create new content in namespace shop because it is being terminated',
    ]);
    expect(valueAt(answer.body, 'details', 'causes')).toEqual([
      { reason: 'NamespaceTerminating', message: 'namespace shop is being terminated', field: 'metadata.namespace' },
    ]);
  });

  it('fills in the defaults of a deployment', async () => {
    const { body } = await fixture.ask('GET', `${DEPLOYMENTS}/web`);
    expect(body['spec']).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        spec: {
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
          containers: [{ imagePullPolicy: 'IfNotPresent' }],
        },
      },
    });
  });

  it('fills in the defaults of probes, services, cron jobs and secrets', async () => {
    const container = { name: 'c', image: 'x', startupProbe: { httpGet: { port: 80 } } };
    const pod = await fixture.ask('POST', PODS, { metadata: { name: 'p' }, spec: { containers: [container] } });
    expect(valueAt(pod.body, 'status')).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    expect(JSON.stringify(valueAt(pod.body, 'spec', 'containers'))).toContain(
      '"startupProbe":{"httpGet":{"port":80,"path":"/","scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}',
    );
    const service = await fixture.ask('POST', '/api/v1/namespaces/shop/services', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }] },
    });
    expect(service.body['spec']).toMatchObject({
      type: 'ClusterIP',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    });
    expect(valueAt(service.body, 'spec', 'clusterIP')).toMatch(/^10\.96\.\d+\.\d+$/);
    const jobTemplate = {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } } },
    };
    const spec = { schedule: '* * * * *', jobTemplate };
    const cronJob = await fixture.ask('POST', '/apis/batch/v1/namespaces/shop/cronjobs', {
      metadata: { name: 'c' },
      spec,
    });
    expect(cronJob.body['spec']).toMatchObject({ suspend: false, concurrencyPolicy: 'Allow' });
    const secret = await fixture.ask('POST', '/api/v1/namespaces/shop/secrets', {
      metadata: { name: 's' },
      stringData: { a: 'ü' },
    });
    expect([secret.body['type'], secret.body['data']]).toEqual(['Opaque', { a: 'w7w=' }]);
  });

  it('leaves the status alone when the object is written, and the object when its status is', async () => {
    await fixture.ask('PATCH', `${DEPLOYMENTS}/web/status`, { status: { replicas: 2 }, spec: { replicas: 9 } }, MERGE);
    const answer = await fixture.ask(
      'PATCH',
      `${DEPLOYMENTS}/web`,
      { status: { replicas: 7 }, metadata: { labels: { a: 'b' } } },
      MERGE,
    );
    expect([valueAt(answer.body, 'spec', 'replicas'), answer.body['status']]).toEqual([1, { replicas: 2 }]);
  });

  it('scales by the subresource, which leaves a count of 0 out', async () => {
    const scaled = await fixture.ask('PATCH', `${DEPLOYMENTS}/web/scale`, { spec: { replicas: 3 } }, MERGE);
    expect(scaled.body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 3 },
      status: { selector: 'app=web' },
    });
    const down = await fixture.ask('PUT', `${DEPLOYMENTS}/web/scale`, {
      metadata: { name: 'web' },
      spec: { replicas: 0 },
    });
    expect(down.body['spec']).toEqual({});
    expect(fixture.store.get('deployments.apps', 'shop', 'web')?.['spec']).toMatchObject({ replicas: 0 });
  });

  it('changes nothing in a dry run', async () => {
    const before = fixture.store.version;
    const created = await fixture.ask('POST', `${CONFIG_MAPS}?dryRun=All`, configMap('dry'));
    expect([created.status, valueAt(created.body, 'metadata', 'resourceVersion')]).toEqual([201, undefined]);
    await fixture.ask('PATCH', `${CONFIG_MAPS}/a?dryRun=All`, { data: { k: 'w' } }, MERGE);
    await fixture.ask('DELETE', `${CONFIG_MAPS}/a?dryRun=All`);
    expect(fixture.store.version).toBe(before);
  });

  it('applies on the server, creating what is not there and dropping what is no longer applied', async () => {
    const apply = (data: JsonObject) =>
      fixture.ask(
        'PATCH',
        `${CONFIG_MAPS}/applied?fieldManager=me`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data },
        { type: 'application/apply-patch+yaml' },
      );
    expect((await apply({ x: '1', y: '2' })).status).toBe(201);
    expect((await apply({ y: '3' })).body['data']).toEqual({ y: '3' });
  });

  it('serves custom resources as soon as their definition is stored', async () => {
    const version = (name: string, storage: boolean) => ({ name, served: true, storage, subresources: { status: {} } });
    const definition = {
      metadata: { name: 'foos.a.io' },
      spec: {
        group: 'a.io',
        scope: 'Namespaced',
        names: { plural: 'foos', kind: 'Foo' },
        versions: [version('v1', true), version('v2', false)],
      },
    };
    expect((await fixture.ask('GET', '/apis/a.io/v1/namespaces/shop/foos')).status).toBe(404);
    await fixture.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const foo = {
      apiVersion: 'a.io/v1',
      kind: 'Foo',
      metadata: { name: 'f' },
      spec: { a: 1 },
      status: { dropped: true },
    };
    const created = await fixture.ask('POST', '/apis/a.io/v1/namespaces/shop/foos', foo);
    expect([created.status, created.body['status'], valueAt(created.body, 'metadata', 'generation')]).toEqual([
      201,
      undefined,
      1,
    ]);
    const other = await fixture.ask('GET', '/apis/a.io/v2/namespaces/shop/foos/f');
    expect([other.body['apiVersion'], other.body['spec']]).toEqual(['a.io/v2', { a: 1 }]);
    const refused = await fixture.ask('PATCH', '/apis/a.io/v1/namespaces/shop/foos/f', { spec: {} }, STRATEGIC);
    expect(refused.message).toBe(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  });

  it('shows an autoscaler in both versions and an event in both groups', async () => {
    const spec = {
      scaleTargetRef: { kind: 'Deployment', name: 'web' },
      maxReplicas: 3,
      targetCPUUtilizationPercentage: 60,
    };
    await fixture.ask('POST', '/apis/autoscaling/v1/namespaces/shop/horizontalpodautoscalers', {
      metadata: { name: 'h' },
      spec,
    });
    const v2 = await fixture.ask('GET', '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/h');
    expect(valueAt(v2.body, 'spec', 'metrics')).toEqual([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
    ]);
    const involvedObject = { kind: 'Namespace', name: 'shop', namespace: 'shop' };
    await fixture.ask('POST', '/api/v1/namespaces/shop/events', {
      metadata: { name: 'e' },
      involvedObject,
      message: 'm',
    });
    const event = await fixture.ask('GET', '/apis/events.k8s.io/v1/namespaces/shop/events/e');
    expect([event.body['note'], event.body['regarding']]).toEqual(['m', involvedObject]);
  });

  it('evicts a pod unless its budget has nothing left', async () => {
    const pod = { metadata: { name: 'p', labels: { app: 'p' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
    await fixture.ask('POST', PODS, pod);
    const budget = { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'p' } } } };
    await fixture.ask('POST', '/apis/policy/v1/namespaces/shop/poddisruptionbudgets', budget);
    const evict = () =>
      fixture.ask('POST', `${PODS}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
    expect((await evict()).message).toBe("Cannot evict pod as it would violate the pod's disruption budget.");
    await fixture.ask(
      'PATCH',
      '/apis/policy/v1/namespaces/shop/poddisruptionbudgets/b/status',
      { status: { disruptionsAllowed: 1 } },
      MERGE,
    );
    expect((await evict()).status).toBe(201);
    expect(fixture.store.list('pods')).toEqual([]);
  });

  it('deletes a selected collection', async () => {
    for (const name of ['x', 'y']) await fixture.ask('POST', CONFIG_MAPS, configMap(name, { go: 'yes' }));
    await fixture.ask('DELETE', `${CONFIG_MAPS}?labelSelector=go%3Dyes`);
    expect(fixture.store.list('configmaps', 'shop').map((object) => object.metadata.name)).toEqual(['a']);
  });

  it('forgets events an hour after they were last written', async () => {
    const event = (name: string) => ({
      metadata: { name },
      involvedObject: { kind: 'Namespace', name: 'shop', namespace: 'shop' },
    });
    await fixture.ask('POST', '/api/v1/namespaces/shop/events', event('old'));
    await fixture.clock.advance(3_600_000);
    await fixture.ask('POST', '/api/v1/namespaces/shop/events', event('new'));
    expect(fixture.store.list('events').map((object) => object.metadata.name)).toEqual(['new']);
  });

  it('writes the table that kubectl shows', async () => {
    await fixture.clock.advance(150_000);
    const { body } = await fixture.ask('GET', DEPLOYMENTS, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    });
    expect(valueAt(body, 'kind')).toBe('Table');
    expect(JSON.stringify(body['rows'])).toContain(
      '"cells":["web","0/1",0,0,"2m30s","main","registry.test/main:1","app=web"]',
    );
  });

  it('answers discovery in both forms', async () => {
    const plain = await fixture.ask('GET', '/apis/apps/v1');
    expect(plain.text).toContain(
      '"name":"deployments/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale"',
    );
    const aggregated = await fixture.ask('GET', '/apis', undefined, {
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    });
    expect([aggregated.body['kind'], aggregated.headers['content-type']]).toEqual([
      'APIGroupDiscoveryList',
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    ]);
    expect((await fixture.ask('GET', '/version')).body['gitVersion']).toBe('v1.36.4');
    expect((await fixture.ask('GET', '/readyz')).text).toBe('ok');
  });
});
