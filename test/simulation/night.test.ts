import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryInbox } from '../../demo/memory-inbox.ts';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import type { HttpHostingClusters } from '../../src/adapters/external-wake/hosting-clusters.ts';
import { type ControllerFeatures, controllerFeatures, type FeatureBase } from '../../src/controller/main-features.ts';
import type { DatabaseReading, Databases } from '../../src/ports/databases.ts';
import { deployment, Internet, Site } from '../support/external-wake-site.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Monday, midnight in UTC, which the schedules speak. */
const monday = Date.UTC(2026, 10, 16);
const key = randomBytes(32).toString('base64');
const secretRef = { name: 'shared', key: 'hmac' };
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const week = (hours: string) => ({
  timezone: 'UTC',
  schedule: Object.fromEntries(days.map((day) => [day, hours])),
});

/** A database whose backup takes until the morning. */
class BusyCloud implements Databases {
  readonly calls: string[] = [];
  async read(): Promise<DatabaseReading> {
    return { condition: 'available', busy: true, message: 'backing-up' };
  }
  async stop(name: string) {
    this.calls.push(`stop ${name}`);
    return { outcome: 'conflict' } as const;
  }
  async start(name: string) {
    this.calls.push(`start ${name}`);
    return { outcome: 'done' } as const;
  }
}

/** The hosting cluster as it ships: satellites, cards by mail; the cloud alone is made up. */
class Host extends Site {
  readonly inbox = new MemoryInbox();
  readonly cloud = new BusyCloud();

  protected override features(base: FeatureBase, hosts: HttpHostingClusters): ControllerFeatures {
    const env = { SATELLITE_IMAGE: 'registry.example.com/satellite:1' };
    const shipped = controllerFeatures(base, { env, mailer: () => this.inbox });
    return { ...shipped, hosts, databases: this.cloud };
  }

  selector(): unknown {
    const found = this.cluster.store.get('services', 'front', 'web')!;
    return (found['spec'] as { readonly selector: unknown }).selector;
  }

  /** Titles of the mails to one address, in their order. */
  mailsTo(address: string): readonly string[] {
    const mails = this.inbox.mails.filter(({ to }) => to === address);
    return mails.map(({ subject }) => subject.replace('[host.example.com] ', ''));
  }

  textOf(title: string): string {
    return this.inbox.mails.find(({ subject }) => subject.endsWith(title))?.text ?? '';
  }
}

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'front', name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
} as Manifest;

const mailed = (...recipients: readonly string[]) => ({
  notifications: {
    enabled: true,
    channels: { email: { enabled: true, recipients: recipients.map((address) => ({ address })) } },
  },
});
const redirected = { serviceRedirection: { enabled: true, services: [{ namespace: 'front', name: 'web' }] } };
const host = (more: object): Readonly<Record<string, unknown>> => ({
  workingHours: week('06:00-20:00'),
  databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
  externalWake: {
    enabled: true,
    localClusterName: 'host.example.com',
    clusters: [{ name: 'dependent.example.com', secretRef }],
  },
  ...mailed('ops@example.com'),
  ...more,
});
const dependent = (...resources: readonly object[]) => ({
  workingHours: week('on'),
  externalDependencies: [{ cluster: 'host.example.com', url: 'https://host.example.com/', secretRef, resources }],
});

const sites: Site[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.stop();
});

describe('a night in which five things happen', () => {
  it('sends one true card each, and everything is back in the morning', async () => {
    const internet = new Internet(monday + 19.5 * hour);
    const until = (hours: number) => internet.advance(monday + hours * hour - internet.clock.now());
    const hosting = new Host(internet, 'host.example.com', host(redirected), [
      deployment('db', 'shop', 2),
      deployment('web', 'front', 3),
      service,
    ]);
    const depending = new Site(internet, 'dependent.example.com', dependent({ namespace: 'shop' }), [
      deployment('app', 'front', 1),
    ]);
    for (const site of [hosting, depending]) {
      site.keys.texts.set('shared/hmac', key);
      sites.push(await site.start());
    }
    const asleep = { 'shop/db': 2, 'front/web': 0 };

    await until(20.5);
    expect(hosting.levels()).toMatchObject({ ...asleep, 'front/svc-satellite-web': 1 });
    expect(hosting.selector()).toEqual({ 'svc.io/satellite': 'web' });

    // One service is un-named.
    hosting.configure(host({}));
    await until(21);
    expect([hosting.levels(), hosting.selector()]).toEqual([asleep, { app: 'web' }]);

    // One dependent is edited: what it names is up without a gap.
    depending.configure(dependent({ namespace: 'shop', name: 'db' }));
    for (let step = 0; step < 30; step++) {
      await internet.advance(10_000);
      expect(hosting.levels()).toEqual(asleep);
    }

    // One destination is added.
    await until(23);
    const both = mailed('ops@example.com', 'late@example.com');
    hosting.configure(host(both));

    // One bad configuration is mended at once, and one after a while.
    await until(24);
    const bad = host({ ...both, controller: { reconcileInterval: 'soon' } });
    for (const ms of [30_000, 10 * minute]) {
      hosting.configure(bad);
      await internet.advance(ms);
      hosting.configure(host(both));
      await internet.advance(20 * minute);
    }

    await until(29.9);
    expect(hosting.levels()).toEqual(asleep);
    await until(30.5);
    expect([hosting.levels(), hosting.selector()]).toEqual([{ 'shop/db': 2, 'front/web': 3 }, { app: 'web' }]);
    expect(hosting.state('satellites')).toEqual([]);
    // Never stopped, so never started.
    expect([hosting.cloud.calls, hosting.mailsTo('ops@example.com').includes('Database Started')]).toEqual([[], false]);

    const fromMidnight = [
      'Configuration Reload Failed',
      // Reports of a session that goes on, each at its time.
      'External Wake Renewed',
      'External Wake Renewed',
      'Waking Up Resources',
      'Wake Complete',
    ];
    expect(hosting.mailsTo('ops@example.com')).toEqual([
      'External Wake Started',
      'Hibernation Complete',
      'Database Will Not Follow',
      'External Wake Started',
      ...fromMidnight,
    ]);
    expect(hosting.mailsTo('late@example.com')).toEqual(['Database Will Not Follow', ...fromMidnight]);
    expect(hosting.textOf('Database Will Not Follow')).toContain('orders cannot be stopped yet: backing-up');
    expect(hosting.textOf('Configuration Reload Failed')).toContain('controller.reconcileInterval');
    expect(hosting.textOf('Wake Complete')).not.toContain('satellite');
  }, 120_000);
});
