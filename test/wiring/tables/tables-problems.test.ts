import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessName } from '../harness/bundles.ts';
import { type RowAsRead, rowProblems } from '../harness/row-problems.ts';
import { collectEvidence, type Evidence, EvidenceFile } from './evidence.ts';
import { keyProblems, keyTable } from './key-table.ts';
import { cardProblems } from './notification-table.ts';
import { type Call, type Grant, grantsOf, rightsProblems, type SeenRelease } from './rights.ts';
import { waysProblems } from './ways-to-sleep.ts';

const seen = (key: string, moment: 'start' | 'reload', process: ProcessName = 'api') => ({
  key,
  moment,
  in: process,
  how: 'a log line',
});
const both = (key: string, process?: ProcessName) => [seen(key, 'start', process), seen(key, 'reload', process)];

describe('keyProblems', () => {
  const rows: Record<string, [keys: string[], seen: Evidence['keys'], problems: string[]]> = {
    'has none when every key has its effect in each process that reads it': [
      ['a', 'shared'],
      [...both('a'), ...both('shared'), ...both('shared', 'controller')],
      [],
    ],
    'finds a planted key that has no row': [
      ['a', 'planted'],
      both('a'),
      [
        'planted: no effect was seen in the api that started with it',
        'planted: no effect was seen in the api after a reload',
      ],
    ],
    'finds a key whose reload has no effect': [
      ['a'],
      [seen('a', 'start')],
      ['a: no effect was seen in the api after a reload'],
    ],
    'finds a key that one of two processes takes at its start alone': [
      ['shared'],
      [...both('shared'), seen('shared', 'start', 'controller')],
      ['shared: no effect was seen in the controller after a reload'],
    ],
    'finds a process that is not said to read a key': [
      ['a'],
      [...both('a'), ...both('a', 'controller')],
      ['a: it has an effect in the controller, which is not said to read it'],
    ],
    'finds a row about a key that is gone': [
      ['a'],
      [...both('a'), ...both('gone')],
      ['gone: there is a row for it, but no such key'],
    ],
  };
  const readers = (key: string): readonly ProcessName[] => (key === 'shared' ? ['api', 'controller'] : ['api']);
  it.each(Object.entries(rows))('%s', (_name, [keys, found, problems]) => {
    expect(keyProblems(keys, { keys: found }, { readers })).toEqual(problems);
  });
});

describe('rowProblems', () => {
  const effects = { start: 'on', reload: 'off' };
  const row: RowAsRead = {
    keys: { 'a.b': effects },
    start: { a: { b: 1 } },
    reload: { a: { b: 2 } },
    goesBack: false,
  };
  const list = (key: string, start: unknown, reload: unknown): RowAsRead => ({
    keys: { [key]: effects },
    start: { a: start },
    reload: { a: reload },
    goesBack: false,
  });
  const rows: Record<string, [RowAsRead, string[]]> = {
    'has none of two values with two effects': [row, []],
    'finds two values that have the same effect': [
      { ...row, keys: { 'a.b': { start: ['seen'], reload: ['seen'] } } },
      ['a.b: one effect is expected of both values'],
    ],
    'finds a value that the reload leaves as it was': [
      { ...row, reload: row.start },
      ['a.b: the reload takes nothing away', 'a.b: the reload brings nothing new'],
    ],
    'finds a key that is not set': [
      { ...row, start: {} },
      ['a.b: it is not set at the start', 'a.b: the reload takes nothing away'],
    ],
    'finds a list that is only cut short': [list('a', ['x', 'y'], ['x']), ['a: the reload brings nothing new']],
    'finds a list that only grows': [
      list('a[].b', [{ b: 1 }], [{ b: 1 }, { b: 2 }]),
      ['a[].b: the reload takes nothing away'],
    ],
    'takes one entry in place of another, wherever it is': [
      list('a[].b.<name>', [{ b: { x: 1 } }, { b: { x: 1 } }], [{ b: { x: 1 } }, { b: { y: 2 } }]),
      [],
    ],
    'finds a switch that is only turned off': [
      { ...row, keys: { 'a.enabled': effects }, start: { a: { enabled: true } }, reload: { a: { enabled: false } } },
      ['a.enabled: a switch has to be seen on, off and on again'],
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [read, problems]) => {
    expect(rowProblems(read)).toEqual(problems);
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
    keyTable(keys, { keys: keys.flatMap((key) => both(key)) })
      .trim()
      .split('\n')
      .slice(2);

  it('says of a key with which the chart grants rights that an upgrade brings them', () => {
    expect(rows('targeting.kinds', 'serviceRedirection.services[].name', 'serviceRedirection.enabled')).toEqual([
      '| `targeting.kinds` | api: a log line | at once, with the rights that `helm upgrade` grants to it |',
      '| `serviceRedirection.services[].name` | api: a log line | at once, with the rights that `helm upgrade` grants to it |',
      '| `serviceRedirection.enabled` | api: a log line | at once, with the rights that `helm upgrade` grants to it, and pods restart: the controller is started with the image of satellites |',
    ]);
  });

  it('says of a key that pods are made from what the settings view says', () => {
    expect(rows('externalUrl', 'clusterName', 'externalWake.clusters[].name')).toEqual([
      '| `externalUrl` | api: a log line | at once, and pods restart: the frontend is started with it |',
      '| `clusterName` | api: a log line | at once |',
      '| `externalWake.clusters[].name` | api: a log line | at once, and pods restart: the Secrets that it names are mounted into the pod |',
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
    const plain = (texts: readonly string[]) => texts.map((text) => `${text}, with no feature`);
    expect(rightsProblems([{ features: [], grants, calls }])).toMatchObject({
      notGranted: plain(notGranted),
      notUsed: plain(notUsed),
    });
  });

  const release = (features: readonly string[], grants: readonly Grant[], calls: readonly Call[]): SeenRelease => ({
    features,
    grants,
    calls,
  });
  const text = 'svc-api: get configmaps in the namespace svc';

  it('finds a right that is missing in one release, though another grants it', () => {
    expect(rightsProblems([release(['a'], [grant], [call]), release([], [], [call])])).toMatchObject({
      notGranted: [`${text}, with no feature`],
      notUsed: [],
    });
  });

  it('finds a right that a release grants and only one that does not grant it would use', () => {
    expect(rightsProblems([release(['a'], [grant], []), release([], [], [call])]).notUsed).toEqual([`${text}, with a`]);
  });

  it('finds a right that is granted whatever the values are, and used only with a feature', () => {
    expect(rightsProblems([release(['a'], [grant], [call]), release(['b'], [grant], [])]).notUsed).toEqual([
      `${text}, with b`,
    ]);
  });

  it('takes a right that one release of its kind uses as used by the others', () => {
    const releases = [release(['a'], [grant], [call]), release(['b'], [grant], [call]), release(['c'], [grant], [])];
    expect(rightsProblems(releases)).toEqual({ notGranted: [], notUsed: [], tooWide: [] });
  });

  it('takes a right to a kind as used whatever other kinds are named beside it, and any other right not', () => {
    const paused: Grant = { account: 'svc-api', resource: 'scaledjobs.keda.sh', verb: 'get' };
    const asked: Call = { ...call, resource: 'scaledjobs.keda.sh' };
    const releases = [
      release(['kind ScaledJob', 'kind Rollout'], [paused, grant], [asked, call]),
      release(['kind ScaledJob'], [paused, grant], []),
    ];
    expect(rightsProblems(releases).notUsed).toEqual([`${text}, with kind ScaledJob`]);
  });

  const anywhere: Grant = { account: 'svc-api', resource: 'pods', verb: 'list' };
  const asked = (where?: string): Call => {
    const { namespace: _namespace, ...rest } = call;
    return { ...rest, verb: 'list', resource: 'pods', name: '', ...(where === undefined ? {} : { namespace: where }) };
  };
  const patches: Grant = { ...grant, verb: 'patch' };
  const patched = (name: string): Call => ({ ...call, verb: 'patch', name });
  const widths: Record<string, [grant: Grant, calls: Call[], tooWide: string[]]> = {
    'finds a right whose rule lost the names of its objects': [
      patches,
      [patched('svc-state'), patched('svc-passkeys')],
      ['svc-api: patch configmaps in the namespace svc: it could name svc-passkeys, svc-state'],
    ],
    'takes one that names them': [{ ...patches, name: 'svc-state' }, [patched('svc-state')], []],
    'takes one without names where a reason is given': [grant, [call], []],
    'takes one to create, which can name nothing': [
      { ...grant, verb: 'create' },
      [{ ...call, verb: 'create', name: '' }],
      [],
    ],
    'finds one in the whole cluster that one namespace would do for': [
      anywhere,
      [asked('svc')],
      ['svc-api: list pods in the whole cluster: it is used in the namespace svc alone'],
    ],
    'takes one that is used in two': [anywhere, [asked('svc'), asked('shop')], []],
    'takes one that is used for all at once': [anywhere, [asked()], []],
  };
  it.each(Object.entries(widths))('%s', (_name, [right, calls, tooWide]) => {
    expect(rightsProblems([release([], [right], calls)]).tooWide).toEqual(tooWide);
  });

  it('does not take a watch for the list that older clusters are asked for', () => {
    const [list, watch] = [anywhere, { ...anywhere, verb: 'watch' }];
    expect(rightsProblems([release([], [list, watch], [{ ...asked(), verb: 'watch' }])]).notUsed).toEqual([
      'svc-api: list pods in the whole cluster, with no feature',
    ]);
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

describe('waysProblems', () => {
  it('finds a way to sleep of which no kind was named', () => {
    const releases = [{ features: ['kind ScaledJob', 'service redirection'] }];
    expect(waysProblems(releases, ['ScaledObject', 'ScaledJob', 'Prometheus', 'KafkaBridge', 'DaemonSet'])).toEqual([
      'by field: no release named Prometheus or KafkaBridge',
      'by a field deep within: no release named DaemonSet',
    ]);
  });
});
