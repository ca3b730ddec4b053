import { afterEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { RequestFacts } from '../../../embedded-cluster/faults.ts';
import { ControllerWorld } from '../../../test/support/controller-world.ts';
import { type LogLine, RecordingLogger } from '../../../test/support/recording-logger.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Monday, 19:59 in Berlin; the cluster sleeps from 20:00 on. */
const evening = Date.UTC(2026, 0, 5, 18, 59);

const places = ['shop', 'crm'];
const objects = places.flatMap((namespace): readonly Manifest[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/app:1' }] },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
  },
]);
const serviceRedirection = { enabled: true, services: places.map((namespace) => ({ namespace, name: 'web' })) };

const forbidden =
  'deployments.apps is forbidden: User "system:serviceaccount:svc:svc-controller" cannot create resource "deployments" in API group "apps" in the namespace "crm"';
const createsIn =
  (place: string) =>
  ({ verb, resource, namespace }: RequestFacts): boolean =>
    verb === 'create' && resource === 'deployments.apps' && namespace === place;

let world: ControllerWorld;
afterEach(() => world.stopController());

class Night {
  readonly log: LogLine[] = [];
  tries = 0;

  constructor(redirects: true | 'without image' = true) {
    const logger = new RecordingLogger(this.log, {});
    world = new ControllerWorld({ startAt: evening, config: { serviceRedirection }, redirects, logger });
    world.cluster.apply(objects);
    world.cluster.api.faults.onRequest((facts) => {
      if (createsIn('crm')(facts)) this.tries += 1;
    });
  }

  refuse(): () => void {
    return world.cluster.api.faults.add({
      match: createsIn('crm'),
      effect: { kind: 'fail', status: 403, message: forbidden },
    });
  }

  told(): readonly unknown[] {
    return this.log
      .filter(({ level, fields }) => level === 'warn' && fields['service'] !== undefined)
      .map(({ message, fields: { service, reason } }) => [message, service, reason]);
  }

  redirected(): readonly string[] {
    return [...world.cluster.store.list('services')]
      .filter(({ metadata }) => metadata.labels?.['svc.io/redirected'] === 'true')
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  }
}

const reason = `svc may not create Deployments in the namespace crm; helm upgrade grants it to what the value config.serviceRedirection.services names (${forbidden})`;
const warning = ['A service that serviceRedirection names gets no satellite', 'crm/web', reason];

describe('a satellite that the cluster refuses for want of a right', () => {
  it('is told once a night with the right and what grants it, and asked for at a pace', async () => {
    const night = new Night();
    night.refuse();
    await world.startController();
    await world.clock.advance(2 * hour);
    expect(night.told()).toEqual([warning]);
    expect(night.redirected()).toEqual(['shop/web']);
    expect(night.tries).toBeGreaterThan(12);
    expect(night.tries).toBeLessThan(30);
    await world.clock.advance(24 * hour);
    expect(night.told()).toEqual([warning, warning]);
  });

  it('keeps no workload up: the hibernation waits for the others only', async () => {
    const night = new Night();
    night.refuse();
    await world.startController();
    await world.clock.advance(minute + 15 * second);
    expect(places.map((place) => world.replicas(place, 'web'))).toEqual([0, 0]);
  });

  it('stands soon after the right has come', async () => {
    const night = new Night();
    const grant = night.refuse();
    await world.startController();
    await world.clock.advance(hour);
    grant();
    await world.clock.advance(6 * minute);
    expect(night.redirected().toSorted()).toEqual(['crm/web', 'shop/web']);
  });

  it('is not told while an upgrade, which writes names before rights, is on its way', async () => {
    const night = new Night();
    world.reconfigure({ serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] } });
    await world.startController();
    await world.clock.advance(hour);
    const grant = night.refuse();
    world.reconfigure({ serviceRedirection });
    await world.clock.advance(2 * second);
    expect(night.tries).toBeGreaterThan(0);
    grant();
    await world.clock.advance(minute);
    expect(night.redirected().toSorted()).toEqual(['crm/web', 'shop/web']);
    expect(night.told()).toEqual([]);
  });

  it('is told of each service where redirection was switched on without the chart', async () => {
    const night = new Night('without image');
    await world.startController();
    await world.clock.advance(2 * hour);
    const why =
      'the controller was started without the image of satellites; helm upgrade with config.serviceRedirection starts it with one';
    expect(night.told().map((line) => (line as readonly unknown[]).slice(1))).toEqual([
      ['shop/web', why],
      ['crm/web', why],
    ]);
  });
});
