import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectEvidence, type Evidence, EvidenceFile } from './evidence.ts';
import { keyProblems, keyTable } from './key-table.ts';
import { cardProblems } from './notification-table.ts';
import { type Call, type Grant, grantsOf, rightsProblems } from './rights.ts';

type KeyEvidence = Pick<Evidence, 'keys' | 'restart'>;
const seen = (key: string, moment: 'start' | 'reload') => ({ key, moment, how: 'a log line' });
const both = (key: string) => [seen(key, 'start'), seen(key, 'reload')];

describe('keyProblems', () => {
  const rows: Record<string, [keys: string[], evidence: KeyEvidence, problems: string[]]> = {
    'has none when every key has its effect, or a reason': [
      ['a', 'b'],
      { keys: [...both('a'), seen('b', 'start')], restart: [{ key: 'b', why: 'the pod mounts it' }] },
      [],
    ],
    'finds a planted key that has no row': [
      ['a', 'planted'],
      { keys: both('a'), restart: [] },
      ['planted: no effect was seen in a process that started with it'],
    ],
    'finds a key whose reload has no effect': [
      ['a'],
      { keys: [seen('a', 'start')], restart: [] },
      ['a: no effect was seen after a reload'],
    ],
    'takes no reason without words': [
      ['a'],
      { keys: [seen('a', 'start')], restart: [{ key: 'a', why: '' }] },
      ['a: no effect was seen after a reload'],
    ],
    'finds a reason that is none': [
      ['a'],
      { keys: both('a'), restart: [{ key: 'a', why: 'the pod mounts it' }] },
      ['a: a reload is enough, though it is listed as one that needs a restart'],
    ],
    'finds a row about a key that is gone': [
      ['a'],
      { keys: [...both('a'), ...both('gone')], restart: [] },
      ['gone: there is a row for it, but no such key'],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [keys, evidence, problems]) => {
    expect(keyProblems(keys, evidence)).toEqual(problems);
  });
});

describe('the evidence', () => {
  it('is that of this run alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'));
    try {
      const run = (name: string, file: string, key: string) => {
        const evidence = new EvidenceFile(file, { name, folder });
        evidence.keys.push(...both(key));
        evidence.save();
      };
      run('yesterday', 'a', 'gone');
      run('yesterday', 'b', 'b');
      run('today', 'a', 'a');
      const { keys } = collectEvidence({ name: 'today', folder });
      expect(keys.map(({ key }) => key)).toEqual(['a', 'a']);
      expect(process.env['WIRING_RUN']).toMatch(/./);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the table of keys', () => {
  const rows = (...keys: readonly string[]) =>
    keyTable(keys, { keys: keys.flatMap(both), restart: [] })
      .trim()
      .split('\n')
      .slice(2);

  it('says of a key with which the chart grants rights that an upgrade brings them', () => {
    expect(rows('targeting.kinds', 'serviceRedirection.services[].name', 'serviceRedirection.enabled')).toEqual([
      '| `targeting.kinds` | a log line | at once, with the rights that `helm upgrade` grants to it |',
      '| `serviceRedirection.services[].name` | a log line | at once, with the rights that `helm upgrade` grants to it |',
      '| `serviceRedirection.enabled` | a log line | at once, with the rights that `helm upgrade` grants to it, and pods restart: the controller is started with the image of satellites |',
    ]);
  });

  it('says of a key that pods are made from what the settings view says', () => {
    expect(rows('externalUrl', 'clusterName', 'externalWake.clusters[].name')).toEqual([
      '| `externalUrl` | a log line | at once, and pods restart: the frontend is started with it |',
      '| `clusterName` | a log line | at once |',
      '| `externalWake.clusters[].name` | a log line | at once, and pods restart: the Secrets that it names are mounted into the pod |',
    ]);
  });
});

describe('cardProblems', () => {
  it('finds an event that nobody sends', () => {
    expect(cardProblems([{ key: 'standDown', how: 'a stand-down' }], ['standDown', 'planted'])).toEqual([
      'planted: no process was seen to send it',
    ]);
  });
});

describe('rightsProblems', () => {
  const grant: Grant = { account: 'svc-api', namespace: 'svc', resource: 'configmaps', verb: 'get' };
  const call: Call = {
    user: 'system:serviceaccount:svc:svc-api',
    verb: 'get',
    resource: 'configmaps',
    subresource: '',
    namespace: 'svc',
    name: 'svc-state',
  };
  const rows: Record<string, [grants: Grant[], calls: Call[], notGranted: string[], notUsed: string[]]> = {
    'has none when they agree': [[grant], [call], [], []],
    'finds a planted right that nobody uses': [
      [grant, { ...grant, verb: 'delete' }],
      [call],
      [],
      ['svc-api: delete configmaps in the namespace svc'],
    ],
    'finds a call that is missing a right': [
      [grant],
      [call, { ...call, resource: 'pods' }],
      ['svc-api: get pods in the namespace svc'],
      [],
    ],
    'tells the accounts apart': [
      [{ ...grant, account: 'svc-controller' }],
      [call],
      ['svc-api: get configmaps in the namespace svc'],
      ['svc-controller: get configmaps in the namespace svc'],
    ],
    'tells namespaces apart': [
      [{ ...grant, namespace: 'default' }],
      [call],
      ['svc-api: get configmaps in the namespace svc'],
      ['svc-api: get configmaps in the namespace default'],
    ],
    'tells objects apart where a right names one': [
      [
        { ...grant, name: 'svc-state' },
        { ...grant, name: 'svc-passkeys' },
      ],
      [call],
      [],
      ['svc-api: get configmaps svc-passkeys in the namespace svc'],
    ],
    'takes a subresource for a resource of its own': [
      [grant],
      [call, { ...call, subresource: 'status' }],
      ['svc-api: get configmaps in the namespace svc'],
      [],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [grants, calls, notGranted, notUsed]) => {
    expect(rightsProblems(grants, calls)).toEqual({ notGranted, notUsed });
  });

  it('reads single rights from roles and bindings', () => {
    const metadata = { name: 'svc-api', namespace: 'svc' };
    const rules = [{ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['get', 'patch'] }];
    const subjects = [{ kind: 'ServiceAccount', name: 'svc-api', namespace: 'svc' }];
    const roleRef = { kind: 'Role', name: 'svc-api' };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    expect(
      grantsOf([
        { apiVersion, kind: 'Role', metadata, rules },
        { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects },
      ]),
    ).toEqual([
      { account: 'svc-api', namespace: 'svc', resource: 'deployments.apps', verb: 'get', name: 'a' },
      { account: 'svc-api', namespace: 'svc', resource: 'deployments.apps', verb: 'patch', name: 'a' },
    ]);
  });
});
