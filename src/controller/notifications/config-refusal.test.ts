import { afterEach, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../../embedded-cluster/embedded-cluster.ts';
import { seededRandom } from '../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { asShipped, noApi } from '../../../test/support/as-shipped.ts';
import { configTextKey } from '../../config/config.ts';
import { noHolidays } from '../../domain/holiday/regional-holidays.ts';
import { configMaps } from '../../domain/names.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { Mail } from '../../ports/mailer.ts';
import { HolidaySource } from '../../service/holiday-source.ts';
import { type RunningController, startController } from '../main.ts';
import { controllerFeatures } from '../main-features.ts';

const minute = 60_000;
const namespace = 'svc';
const good = {
  clusterName: 'dev',
  externalUrl: 'https://svc.example.com',
  workingHours: { timezone: 'UTC' },
  notifications: { enabled: true, channels: { email: { enabled: true, recipients: ['ops@example.org'] } } },
};

/** A controller as its process starts it, with a mail server that takes everything. */
class Installation {
  readonly clock = new VirtualClock(Date.UTC(2026, 10, 16, 12));
  readonly cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), events: 'none' });
  readonly mails: string[] = [];
  #running: RunningController | undefined;

  async start(): Promise<this> {
    this.cluster.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]);
    this.configure(good);
    this.cluster.start();
    const starting = startController({
      transport: this.cluster.transport({
        user: 'system:serviceaccount:svc:svc-controller',
        groups: ['system:masters'],
      }),
      clock: this.clock,
      random: seededRandom(2),
      logger: silentLogger,
      namespace,
      ...asShipped,
      frames: noApi,
      features: (base) =>
        controllerFeatures(base, {
          env: {},
          mailer: () => ({ send: async ({ subject }: Mail) => void this.mails.push(subject) }),
        }),
    });
    await this.clock.advance(1_000);
    this.#running = await starting;
    return this;
  }

  configure(config: object): void {
    const data = { [configTextKey]: stringify(config) };
    this.cluster.apply([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: configMaps.config, namespace }, data } as Manifest,
    ]);
  }

  titles(): readonly string[] {
    return this.mails.map((subject) => subject.replace(/^\[.*?\] /, ''));
  }

  async stop(): Promise<void> {
    const stopped = this.#running?.stop();
    await this.clock.advance(10_000);
    await stopped;
    this.cluster.stop();
  }
}

const holidays = { ...good, holidays: { regions: ['DE'] } };
const typo = { ...good, workingHour: { timezone: 'UTC' } };
const unreadable = { ...good, workingHours: { timezone: 'UTC', schedule: { monday: '8:00-20:00' } } };

describe('a configuration that is refused', () => {
  let at: Installation;
  afterEach(async () => {
    vi.restoreAllMocks();
    await at.stop();
  });

  it('and mended after thirty seconds sends nothing, and the next one does', async () => {
    at = await new Installation().start();
    at.configure(unreadable);
    await at.clock.advance(30_000);
    at.configure(good);
    await at.clock.advance(30 * minute);
    expect(at.titles()).toEqual([]);
    at.configure(unreadable);
    await at.clock.advance(30 * minute);
    expect(at.titles()).toEqual(['Schedule Cannot Be Read']);
    at.configure(good);
    await at.clock.advance(minute);
    at.configure(typo);
    await at.clock.advance(30 * minute);
    expect(at.titles()).toEqual(['Schedule Cannot Be Read', 'Configuration Reload Failed']);
  });

  it('for a timezone that does not exist is one cause and one card', async () => {
    at = await new Installation().start();
    at.configure({ ...good, workingHours: { timezone: 'Europe/Berln' } });
    await at.clock.advance(30 * minute);
    expect(at.titles()).toEqual(['Schedule Cannot Be Read']);
  });

  it('for a key that is only called like the working hours is no trouble of the schedule', async () => {
    at = await new Installation().start();
    at.configure(typo);
    await at.clock.advance(30 * minute);
    expect(at.titles()).toEqual(['Configuration Reload Failed']);
  });

  it('because its holidays cannot be loaded sends the same card, and is over when they are no longer asked for', async () => {
    const damaged = new Error('the file ends in the middle of a line');
    vi.spyOn(HolidaySource.prototype, 'of').mockImplementation(({ regions }) =>
      regions.length === 0 ? noHolidays : Promise.reject(damaged),
    );
    at = await new Installation().start();
    at.configure(holidays);
    await at.clock.advance(30 * minute);
    expect(at.titles()).toEqual(['Configuration Reload Failed']);
    at.configure(good);
    await at.clock.advance(minute);
    at.configure(holidays);
    await at.clock.advance(30_000);
    at.configure(good);
    await at.clock.advance(30 * minute);
    expect(at.titles()).toEqual(['Configuration Reload Failed']);
  });
});
