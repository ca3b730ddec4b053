import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ApiWorld, type ApiWorldOptions, adminAddress, releaseNamespace } from '../../../test/support/api-world.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
}

const entry = (id: string, at: string, more: object = {}) =>
  JSON.stringify({ id, at, kind: 'wake', title: 'Wake Complete', actor: adminAddress, ...more });

const auditMap = (number: number, lines: readonly string[]) =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `svc-audit-${number}`, namespace: releaseNamespace, labels: { 'svc.io/audit': 'true' } },
    data: { entries: lines.map((line) => `${line}\n`).join('') },
  }) as never;

const files = [
  auditMap(0, [entry('a', '2026-01-01T10:00:00Z'), entry('b', '2026-01-02T10:00:00Z', { result: 'failed' }), 'spoilt']),
  auditMap(1, [
    entry('c', '2026-01-03T10:00:00Z', { kind: 'stand-down', title: 'Stood Down', reason: '=cmd|calc' }),
    entry('d', '2026-01-04T10:00:00Z', { actor: 'configuration' }),
  ]),
];

const audit = async (query: object = {}) => (await world.call('audit', { query: { ...query } }, token)).json();
const ids = (page: { entries: { id: string }[] }) => page.entries.map(({ id }) => id);

describe('the audit log', () => {
  it('shows entries of all files, the newest first, and counts lines that are none', async () => {
    await start({ objects: files });
    const page = await audit();
    expect([ids(page), page.unreadable, page.next]).toEqual([['d', 'c', 'b', 'a'], 1, undefined]);
    expect(page.entries[1]).toEqual({
      id: 'c',
      at: '2026-01-03T10:00:00.000Z',
      kind: 'stand-down',
      title: 'Stood Down',
      actor: adminAddress,
      reason: '=cmd|calc',
    });
  });

  it('filters and pages', async () => {
    await start({ objects: files });
    expect(ids(await audit({ kind: 'stand-down' }))).toEqual(['c']);
    expect(ids(await audit({ result: 'failed' }))).toEqual(['b']);
    expect(ids(await audit({ actor: 'CONFIG' }))).toEqual(['d']);
    expect(ids(await audit({ q: 'calc' }))).toEqual(['c']);
    expect(ids(await audit({ from: '2026-01-02T10:00:00Z', to: '2026-01-04T10:00:00Z' }))).toEqual(['c', 'b']);
    const first = await audit({ limit: 3 });
    expect(ids(first)).toEqual(['d', 'c', 'b']);
    expect(ids(await audit({ limit: 3, after: first.next }))).toEqual(['a']);
  });

  it('is exported as CSV that no spreadsheet runs', async () => {
    await start({ objects: files });
    const answer = await world.call('audit', { query: { format: 'csv' } }, token);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"',
    });
    expect(answer.body).toContain(`"'=cmd|calc"`);
    expect(answer.body.split('\r\n')).toHaveLength(6);
  });

  it('shows an act at once, before the controller has written it down', async () => {
    await start({ objects: files });
    await world.call('triggerHibernation', {}, token);
    expect((await audit()).entries[0]).toMatchObject({ title: 'Manual Hibernation Requested', actor: adminAddress });
  });

  it('that cannot be read is 500', async () => {
    await start({ objects: files });
    world.cluster.api.faults.add({
      match: ({ resource, verb }) => resource === 'configmaps' && verb === 'list',
      effect: { kind: 'fail', status: 403, message: 'configmaps is forbidden' },
    });
    const answer = await world.call('audit', {}, token);
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { code: 'read_failed', message: 'The audit log could not be read: configmaps is forbidden' },
    ]);
  });
});

describe('the settings', () => {
  it('show every value, where it comes from, and no credential', async () => {
    await start({ config: { proxyURL: 'http://user:word@proxy.example.com:8080' } });
    const { settings, refused } = (await world.call('settings', {}, token)).json();
    const of = (path: string) => settings.find((one: { path: string }) => one.path === path);
    expect(of('clusterName')).toMatchObject({ value: 'test', source: 'configured' });
    expect(of('api.shutdownTimeout')).toMatchObject({ value: '30s', source: 'default' });
    expect(of('proxyURL').value).toBe('http://proxy.example.com:8080');
    expect(refused).toBeNull();
  });

  it('say why the newest configuration is refused; the one before stays', async () => {
    await start();
    world.configure({ workingHours: { schedule: { monday: '8:00-20:00' } } });
    await world.pass();
    const { refused } = (await world.call('settings', {}, token)).json();
    expect(refused).toContain('workingHours.schedule.monday');
    expect((await world.call('hibernationStatus', {}, token)).statusCode).toBe(200);
  });
});

describe('the license', () => {
  it('says its verdict to an admin', async () => {
    await start();
    const answer = (await world.call('license', {}, token)).json();
    expect(answer).toMatchObject({ verdict: 'licensed', acts: true, chip: null, licensee: expect.any(String) });
  });

  it('that is absent is unlicensed, with its chip', async () => {
    await start({ authority: { publicKeys: [], verify: () => false } });
    expect((await world.call('license', {}, token)).json()).toEqual({
      verdict: 'unlicensed',
      acts: false,
      chip: { color: 'red', text: 'Not scaling - unlicensed', detail: 'There is no license.' },
      reason: 'There is no license.',
    });
  });
});

describe('features that are off', () => {
  it('say so, and which setting it is', async () => {
    await start({ config: { insights: { enabled: false } } });
    const off = (key: string) => ({ enabled: false, available: false, message: `${key} is false.`, report: null });
    expect((await world.call('insights', {}, token)).json()).toEqual(off('config.insights.enabled'));
    expect((await world.call('costs', {}, token)).json()).toEqual(off('config.awsCosts.enabled'));
    expect((await world.call('notificationDeliveries', {}, token)).json()).toEqual({ enabled: false, items: [] });
    const rows = [
      ['testNotification', { body: { channel: 'email' } }, 'config.notifications.enabled'],
      ['urlReadiness', { query: { url: 'https://example.com' } }, 'config.urlReadinessCheck.enabled'],
      ['dashboardStatus', {}, 'config.dashboardApi.enabled'],
      ['dashboardCosts', {}, 'config.dashboardApi.enabled'],
      ['passkeySignInOptions', {}, 'config.auth.webauthn.enabled'],
    ] as const;
    for (const [id, parts, key] of rows) {
      const answer = await world.call(id, parts, token);
      expect([id, answer.statusCode, answer.json()]).toEqual([
        id,
        404,
        { code: 'feature_disabled', message: `This is off: ${key} is false.`, details: { key } },
      ]);
    }
  });

  it('external wake without its feature is 404 for who is let in, and 401 for everybody else', async () => {
    await start({ features: { externalWake: { verify: async () => ({ ok: true, cluster: 'x' }) } } });
    expect((await world.call('externalWake')).json().code).toBe('feature_disabled');
  });
});

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
      'resources[0].type must be Deployment, StatefulSet or CronJob.',
    );
  });
});

describe('the document', () => {
  it('is served, and is the same in YAML readers', async () => {
    await start();
    const document = (await world.call('openapi')).json();
    expect(document.openapi).toBe('3.1.0');
    expect(parse(JSON.stringify(document))).toEqual(document);
  });
});
