import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { AuditConfigMaps } from '../../src/adapters/cluster/audit-config-maps.ts';
import { KubeClient } from '../../src/adapters/kubernetes/client/kube-client.ts';
import type { CustomObject, ResourceType } from '../../src/adapters/kubernetes/client/resource-type.ts';
import { TokenBucket } from '../../src/adapters/kubernetes/client/token-bucket.ts';
import type { AuditEntry } from '../../src/domain/audit/entry.ts';
import { readEntries } from '../../src/domain/audit/stored-entry.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { type Fleet, releaseNamespace, startFleet } from '../embedded-fleet.ts';

/** A Sunday evening in Berlin, in the season of few holidays. */
const now = Date.UTC(2026, 10, 15, 19);
const admin = 'admin@svc.local';
let fleet: Fleet;
let entries: readonly AuditEntry[];
const reported: { readonly creationTimestamp?: string }[] = [];
const core = { group: '', version: 'v1', namespaced: true } as const;
const events: ResourceType<CustomObject> = { ...core, plural: 'events', kind: 'Event' };
const endpoints: ResourceType<CustomObject> = { ...core, plural: 'endpoints', kind: 'Endpoints' };
const led: string[] = [];

beforeAll(async () => {
  const present = new VirtualClock(now);
  const config = {
    externalUrl: 'http://localhost:3000',
    allowInsecureExternalUrl: true,
    auth: { adminUsers: [admin] },
  };
  fleet = await startFleet({ seed: 1, admin, pastDays: 28, config, present });
  const client = new KubeClient({
    transport: fleet.transport('svc-api'),
    clock: present,
    random: seededRandom(1),
    limiter: new TokenBucket(present, { qps: 1_000, burst: 1_000 }),
    userAgent: 'test',
    fieldManager: 'test',
    logger: silentLogger,
    requestTimeoutMs: 30_000,
  });
  for await (const { items } of client.pages(events, {})) reported.push(...items.map(({ metadata }) => metadata ?? {}));
  for await (const { items } of client.pages(endpoints, {})) {
    for (const { metadata, ...rest } of items) {
      const { subsets } = rest as { subsets?: readonly { addresses?: readonly unknown[] }[] };
      if (subsets?.some(({ addresses = [] }) => addresses.length > 0))
        led.push(`${metadata?.namespace}/${metadata?.name}`);
    }
  }
  entries = readEntries(await new AuditConfigMaps(client, releaseNamespace).texts()).entries;
}, 240_000);

afterAll(() => fleet?.stop());

const titled = (title: RegExp) => entries.filter((entry) => title.test(entry.title));
const dates = (found: readonly AuditEntry[]) => found.map(({ at }) => new Date(at).toISOString().slice(0, 10));

describe('the past of the demo', () => {
  it('has a wake and a hibernation a working day, and none on the holiday', () => {
    const wakes = dates(titled(/^Wake Complete/));
    expect(wakes.length).toBeGreaterThanOrEqual(18);
    // Armistice Day, a Wednesday.
    expect(wakes).not.toContain('2026-11-11');
    expect(wakes).toEqual(expect.arrayContaining(['2026-11-10', '2026-11-12']));
    expect(titled(/^Hibernation Complete/).length).toBeGreaterThanOrEqual(18);
  });

  it('has a failed wake, recoveries, other hours for a date, a wake by hand and a stand-down', () => {
    const failed = titled(/workload failed$/);
    expect(failed.flatMap((entry) => entry.workloads_failed_detail ?? []).join()).toContain('shop/recommendations');
    expect(entries.some((entry) => (entry.workloads_recovered ?? 0) > 0)).toBe(true);
    for (const title of ['Schedule Override Set', 'Wake Requested', 'Stood Down', 'Stand-down Ended']) {
      expect([title, titled(new RegExp(`^${title}$`)).map(({ actor }) => actor)]).toEqual([
        title,
        expect.arrayContaining([admin]),
      ]);
    }
  });

  it('leaves Services that lead to the pods of now', () => {
    expect(led).toEqual(expect.arrayContaining(['shop/cart', 'shop/checkout']));
  });

  it('has the events that a cluster still keeps, those of the last hour', () => {
    expect(reported.length).toBeGreaterThan(50);
    const oldest = Math.min(...reported.map(({ creationTimestamp }) => Date.parse(creationTimestamp ?? '')));
    expect(oldest).toBeGreaterThanOrEqual(now - 3_600_000);
  });

  it('ends awake, now', () => {
    expect(fleet.clock.now()).toBe(now);
    expect(entries.at(-1)?.title ?? '').not.toMatch(/^Hibernation/);
    expect(dates(titled(/^Wake Complete/)).at(-1)).toBe('2026-11-15');
  });
});
