import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress } from '../../../test/support/api-world.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
}

describe('external wakes', () => {
  const quotas = { maxConcurrentWakes: 2, maxWakesPerHour: 3, maxWakeDuration: '2h' };
  const externalWake = {
    enabled: true,
    localClusterName: 'host',
    quotas,
    excludedNamespaces: ['vault'],
    clusters: [{ name: 'narrow', secretRef: { name: 's', key: 'k' }, resources: [{ namespace: 'shop' }] }],
  };
  let cluster = 'a';
  const wake = (body: object = {}) => world.call('externalWake', { body });
  const withVerifier = () =>
    start({ config: { externalWake }, features: { externalWake: { verify: async () => ({ ok: true, cluster }) } } });

  it('hold a session, renew it, and end it', async () => {
    cluster = 'a';
    await withVerifier();
    const first = (await wake({ duration: '1h' })).json();
    expect([first.renewed, first.ready, first.session.cluster]).toEqual([false, true, 'a']);
    expect(Date.parse(first.session.expiresAt) - Date.parse(first.session.startedAt)).toBe(3_600_000);
    await world.clock.advance(600_000);
    const second = (await wake({ duration: '9h' })).json();
    expect([second.renewed, second.session.id]).toEqual([true, first.session.id]);
    expect(Date.parse(second.session.expiresAt) - world.clock.now()).toBeGreaterThan(7_190_000);
    expect((await world.call('externalWakeSessions', {}, token)).json()).toMatchObject({
      enabled: true,
      items: [{ cluster: 'a' }],
    });
    expect((await world.call('endExternalWake')).json()).toEqual({ ended: 1 });
    expect((await world.call('endExternalWake')).json()).toEqual({ ended: 0 });
  });

  it('are counted while they live, not until they are tidied away', async () => {
    cluster = 'a';
    await withVerifier();
    const counted = async () =>
      /^svc_external_wake_sessions (\d+)$/m.exec((await world.running.api.metrics.render()).text)?.[1];
    await wake({ duration: '1h' });
    await world.pass();
    expect(await counted()).toBe('1');
    await world.clock.advance(3_600_000);
    expect(JSON.parse(world.stateData()?.['external_wake_sessions'] ?? '')).toHaveLength(1);
    expect(await counted()).toBe('0');
  });

  it('keep to the quotas', async () => {
    await withVerifier();
    for (cluster of ['a', 'b']) expect((await wake()).statusCode).toBe(200);
    cluster = 'c';
    const refused = await wake();
    expect([refused.statusCode, refused.json().details]).toEqual([429, { quota: 'maxConcurrentWakes' }]);
    cluster = 'a';
    await world.call('endExternalWake');
    expect((await wake()).statusCode).toBe(200);
    await world.call('endExternalWake');
    const often = await wake();
    expect([often.statusCode, often.json().details]).toEqual([429, { quota: 'maxWakesPerHour' }]);
    expect(Number(often.headers['retry-after'])).toBeGreaterThan(3000);
  });

  it('wake no excluded namespace, and nothing that the cluster may not name', async () => {
    await withVerifier();
    cluster = 'a';
    expect((await wake({ resources: [{ namespace: 'vault' }] })).json().message).toBe(
      'Namespace vault is never woken by another cluster.',
    );
    cluster = 'narrow';
    expect((await wake()).json().message).toBe('resources must be named: this cluster may not wake the whole cluster.');
    expect((await wake({ resources: [{ namespace: 'tools' }] })).statusCode).toBe(403);
    expect((await wake({ resources: [{ namespace: 'shop', name: 'web', type: 'Deployment' }] })).statusCode).toBe(200);
    expect((await wake({ resources: [{ namespace: 'shop', type: 'Pod' }] })).json().message).toBe(
      'resources[0].type must be Deployment, StatefulSet, CronJob, ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease or Application.',
    );
  });
});
