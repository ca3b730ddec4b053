import { afterEach, describe, expect, it } from 'vitest';
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

const auditMap = (number: number, lines: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `svc-audit-${number}`, namespace: releaseNamespace, labels: { 'svc.io/audit': 'true' } },
  data: { entries: lines.map((line) => `${line}\n`).join('') },
});

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
    expect(ids(await audit({ kind: 'wake,wake-failed', limit: 2 }))).toEqual(['d', 'b']);
    expect(ids(await audit({ result: 'failed' }))).toEqual(['b']);
    expect(ids(await audit({ actor: 'CONFIG' }))).toEqual(['d']);
    expect(ids(await audit({ q: 'calc' }))).toEqual(['c']);
    expect(ids(await audit({ from: '2026-01-02T10:00:00Z', to: '2026-01-04T10:00:00Z' }))).toEqual(['c', 'b']);
    const first = await audit({ limit: 3 });
    expect(ids(first)).toEqual(['d', 'c', 'b']);
    expect(ids(await audit({ limit: 3, after: first.next }))).toEqual(['a']);
    expect([first.total, (await audit({ limit: 3, after: first.next })).total]).toEqual([4, 4]);
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
