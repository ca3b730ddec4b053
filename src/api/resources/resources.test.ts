import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, type ApiWorldOptions, adminAddress, deployment } from '../../../test/support/api-world.ts';
import { workloadManifest } from '../../../test/support/builders/manifests.ts';
import { definitionOf, neighbour } from '../../../test/support/builders/neighbours.ts';
import { leftOutServices, oddConfig, oddServices, redirectedServices } from '../../../test/support/odd-services.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());

async function start(options: ApiWorldOptions = {}): Promise<void> {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
  await world.pass(60_000);
}

const cronJob = (namespace: string, name: string, suspend = false) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { namespace, name },
  spec: {
    schedule: '0 3 * * *',
    suspend,
    jobTemplate: {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'job', image: 'job:1' }] } } },
    },
  },
});

const list = async (query: Record<string, unknown> = {}) => (await world.call('resources', { query }, token)).json();
const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name);

describe('the listing', () => {
  const objects = [
    deployment('shop', 'web', 3),
    deployment('shop', 'cart', 1),
    deployment('tools', 'wiki', 0),
    deployment('kube-system', 'dns'),
    cronJob('shop', 'report'),
    cronJob('shop', 'paused', true),
  ];

  it('shows what the service scales, with its state', async () => {
    await start({ objects });
    expect((await list()).items).toEqual([
      { kind: 'CronJob', namespace: 'shop', name: 'paused', state: 'down', suspended: true, recorded: null },
      { kind: 'CronJob', namespace: 'shop', name: 'report', state: 'up', suspended: false, recorded: null },
      {
        kind: 'Deployment',
        namespace: 'shop',
        name: 'cart',
        state: 'up',
        replicas: 1,
        readyReplicas: 1,
        recorded: null,
      },
      {
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        state: 'up',
        replicas: 3,
        readyReplicas: 3,
        recorded: null,
      },
      {
        kind: 'Deployment',
        namespace: 'tools',
        name: 'wiki',
        state: 'down',
        replicas: 0,
        readyReplicas: 0,
        recorded: null,
      },
    ]);
  });

  it('filters, sorts and pages on the server', async () => {
    await start({ objects });
    expect(names(await list({ kind: 'CronJob' }))).toEqual(['paused', 'report']);
    expect(names(await list({ namespace: 'tools' }))).toEqual(['wiki']);
    expect(names(await list({ q: 'A' }))).toEqual(['paused', 'cart']);
    expect(names(await list({ state: 'down' }))).toEqual(['paused', 'wiki']);
    expect(names(await list({ sort: 'replicas', order: 'desc', kind: 'Deployment' }))).toEqual(['web', 'cart', 'wiki']);
    const first = await list({ limit: 2 });
    expect([names(first), first.total, first.next]).toEqual([['paused', 'report'], 5, 2]);
    const last = await list({ limit: 2, offset: 4 });
    expect([names(last), last.next]).toEqual([['wiki'], undefined]);
    expect(await list({ offset: 100 })).toEqual({ items: [], total: 5 });
  });

  it('shows what a record returns a workload to, and only to the object it was made for', async () => {
    await start({ objects: [deployment('shop', 'web', 0), deployment('shop', 'other', 0)] });
    const uid = world.cluster.store.get('deployments.apps', 'shop', 'web')!.metadata.uid;
    const at = '2026-01-04T19:00:00Z';
    const record = (name: string, of: string) => ({
      kind: 'Deployment',
      namespace: 'shop',
      name,
      uid: of,
      replicas: 3,
      at,
    });
    world.setState({ resource_states: JSON.stringify([record('web', uid!), record('other', 'another-object')]) });
    await world.pass();
    expect((await list()).items).toMatchObject([
      { name: 'other', state: 'down', recorded: null },
      {
        name: 'web',
        state: 'hibernated',
        since: '2026-01-04T19:00:00.000Z',
        recorded: { replicas: 3, at: '2026-01-04T19:00:00.000Z' },
      },
    ]);
  });

  it('of one namespace, and of namespaces called ignored and stats', async () => {
    await start({ objects: [deployment('shop', 'web'), deployment('ignored', 'a'), deployment('stats', 'b')] });
    const of = async (namespace: string) =>
      names((await world.call('namespaceResources', { params: { namespace } }, token)).json());
    expect(await of('shop')).toEqual(['web']);
    expect(names(await list({ namespace: 'ignored' }))).toEqual(['a']);
    expect(names(await list({ namespace: 'stats' }))).toEqual(['b']);
    expect((await world.call('resourceStats', {}, token)).json().byNamespace['stats'].managed).toBe(1);
  });

  it('of what is left alone comes from the state', async () => {
    const ignored = [
      { kind: 'Deployment', namespace: 'kube-system', name: 'dns', reason: 'excluded' },
      { kind: 'StatefulSet', namespace: 'data', name: 'db', reason: 'never scaled' },
    ];
    await start({ state: { ignored_resources: JSON.stringify(ignored) } });
    const page = (await world.call('ignoredResources', { query: { sort: 'name' } }, token)).json();
    expect(page).toEqual({ items: [ignored[1], ignored[0]], total: 2 });
    expect((await world.call('resourceStats', {}, token)).json().excluded).toBe(2);
  });

  it('of what is left alone is worked out before a controller has stored it, and in a dry run, which stores nothing', async () => {
    await start({
      objects: [deployment('shop', 'web'), deployment('kube-system', 'dns')],
      config: { dashboardApi: { enabled: true } },
    });
    const page = (await world.call('ignoredResources', {}, token)).json();
    const reason = 'Namespace kube-system is excluded by the pattern kube-*';
    expect(page).toEqual({
      items: [{ kind: 'Deployment', namespace: 'kube-system', name: 'dns', reason }],
      total: 1,
    });
    expect((await world.call('resourceStats', {}, token)).json().excluded).toBe(1);
    expect((await world.call('dashboardStatus')).json().resources.excluded).toBe(1);
  });

  it('does not list pods', async () => {
    await start({ objects });
    const asked = new Set<string>();
    world.cluster.api.faults.onRequest(({ resource }) => asked.add(resource));
    for (const id of ['resources', 'ignoredResources', 'resourceStats', 'hibernationStatus'] as const) {
      await world.pass();
      await world.call(id, {}, token);
    }
    expect([...asked]).toEqual(['configmaps']);
  });
});

describe('why a workload is as it is', () => {
  const why = (namespace: string, kind: string, name: string) =>
    world.call('why', { params: { namespace, kind, name } }, token);

  it('is said line by line', async () => {
    await start({ objects: [deployment('shop', 'web', 3), deployment('kube-system', 'dns')] });
    expect((await why('shop', 'deployments', 'web')).json()).toMatchObject({
      kind: 'Deployment',
      targeted: true,
      wanted: 'up',
      reason: { code: 'working_hours' },
      sentences: [
        'Deployment shop/web is at 3 replicas, 3 ready.',
        'The service scales it; it is wanted up.',
        'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00.',
      ],
    });
    expect((await why('kube-system', 'Deployment', 'dns')).json()).toMatchObject({
      targeted: false,
      wanted: 'leave',
      skipped: { code: 'namespace_excluded', text: 'Namespace kube-system is excluded by the pattern kube-*' },
    });
  });

  it('is a handback when it left our scope while it was down, as the controller decides', async () => {
    await start({ objects: [deployment('kube-system', 'dns', 0)] });
    const { uid } = world.cluster.store.get('deployments.apps', 'kube-system', 'dns')!.metadata;
    const record = {
      kind: 'Deployment',
      namespace: 'kube-system',
      name: 'dns',
      uid,
      replicas: 2,
      at: '2026-01-04T19:00:00Z',
    };
    world.setState({ resource_states: JSON.stringify([record]) });
    await world.pass();
    const answer = (await why('kube-system', 'Deployment', 'dns')).json();
    expect([answer.targeted, answer.wanted]).toEqual([false, 'up']);
    expect(answer.sentences.at(-1)).toBe('It was recorded with 2 replicas at Sunday 20:00 (Europe/Berlin).');
    expect(answer.sentences[1]).toBe(
      'The service hands it back and leaves it alone from then on: Namespace kube-system is excluded by the pattern kube-*.',
    );
  });

  it('is that somebody raised it in the night, and that it stays so', async () => {
    await start({ startAt: Date.UTC(2026, 0, 5, 22), objects: [deployment('shop', 'web', 3)] });
    const { uid } = world.cluster.store.get('deployments.apps', 'shop', 'web')!.metadata;
    const record = { kind: 'Deployment', namespace: 'shop', name: 'web', uid, replicas: 3, at: '2026-01-05T21:00:00Z' };
    world.setState({
      resource_states: JSON.stringify([record]),
      phase: JSON.stringify({ phase: 'hibernated', since: '2026-01-05T19:00:00Z' }),
    });
    await world.pass();
    const answer = (await why('shop', 'Deployment', 'web')).json();
    expect(answer.sentences.slice(1, 3)).toEqual([
      'The service scales it; it is wanted down.',
      'It was raised by hand while the cluster sleeps, so it is left as it is until the next wake.',
    ]);
  });

  it('is that the cluster did not let it be taken down, and where its words are', async () => {
    await start({ startAt: Date.UTC(2026, 0, 5, 22), objects: [deployment('shop', 'web', 3)] });
    const { uid } = world.cluster.store.get('deployments.apps', 'shop', 'web')!.metadata;
    const at = '2026-01-05T21:00:00Z';
    const record = { kind: 'Deployment', namespace: 'shop', name: 'web', uid, replicas: 3, at, provisional: true };
    world.setState({
      resource_states: JSON.stringify([record]),
      phase: JSON.stringify({ phase: 'hibernated', since: '2026-01-05T19:00:00Z' }),
    });
    await world.pass();
    const answer = (await why('shop', 'Deployment', 'web')).json();
    expect(answer.sentences[1]).toBe('The service scales it; it is wanted down.');
    expect(answer.sentences[2]).toMatch(/^The cluster did not let the service take it down, and it is tried again\./);
  });

  const session = (cluster: string, namespace: string, expiresAt: string) => ({
    id: `${cluster}-${namespace}`,
    cluster,
    resources: [{ namespace }],
    startedAt: '2026-01-05T20:30:00Z',
    expiresAt,
  });

  it('is the cluster that needs it, where a session names it in a cluster that sleeps', async () => {
    await start({
      startAt: Date.UTC(2026, 0, 5, 21),
      config: { externalWake: { enabled: true, localClusterName: 'hub', excludedNamespaces: ['billing'] } },
      objects: [deployment('shop', 'web', 3), deployment('auth', 'web'), deployment('billing', 'web')],
      state: {
        phase: JSON.stringify({ phase: 'hibernated', since: '2026-01-05T19:00:00Z' }),
        external_wake_sessions: JSON.stringify([
          session('shop-dev', 'shop', '2026-01-05T22:00:00Z'),
          session('cms-dev', 'shop', '2026-01-05T23:00:00Z'),
          session('cms-dev', 'billing', '2026-01-05T23:00:00Z'),
        ]),
      },
    });
    const sleeps = 'Hibernated until Tuesday 08:00 (Europe/Berlin): outside working hours of Monday 08:00-20:00';
    const needed = 'Up until Tuesday 00:00 (Europe/Berlin): clusters cms-dev, shop-dev need it (external wake)';
    expect((await why('shop', 'Deployment', 'web')).json()).toMatchObject({
      wanted: 'up',
      reason: { code: 'external_wake', text: needed, actor: 'cms-dev' },
      sentences: [
        'Deployment shop/web is at 3 replicas, 3 ready.',
        'The service scales it; it is wanted up.',
        `${needed}.`,
        `The cluster itself: ${sleeps}.`,
      ],
    });
    expect((await why('auth', 'Deployment', 'web')).json()).toMatchObject({ wanted: 'down', reason: { text: sleeps } });
    expect((await why('billing', 'Deployment', 'web')).json()).toMatchObject({
      wanted: 'down',
      reason: { text: sleeps },
    });
  });

  it('is no wish to take it down while another cluster needs everything, where it may wake nothing and this is up', async () => {
    await start({
      startAt: Date.UTC(2026, 0, 5, 21),
      config: { externalWake: { enabled: true, localClusterName: 'hub', excludedNamespaces: ['billing'] } },
      objects: [deployment('shop', 'web', 3), deployment('billing', 'web')],
      state: {
        external_wake_sessions: JSON.stringify([
          { ...session('shop-dev', '', '2026-01-05T22:00:00Z'), id: 'all', resources: [] },
        ]),
      },
    });
    const wantedOf = async (namespace: string) => (await why(namespace, 'Deployment', 'web')).json().wanted;
    expect([await wantedOf('shop'), await wantedOf('billing')]).toEqual(['up', 'leave']);
    const { uid } = world.cluster.store.get('deployments.apps', 'billing', 'web')!.metadata;
    const at = '2026-01-05T19:00:00Z';
    const record = { kind: 'Deployment', namespace: 'billing', name: 'web', uid, replicas: 2, at };
    world.setState({ resource_states: JSON.stringify([record]) });
    await world.pass();
    expect(await wantedOf('billing')).toBe('down');
  });

  it('is not said of what does not exist, or is no workload', async () => {
    await start();
    const absent = await why('shop', 'Deployment', 'web');
    expect([absent.statusCode, absent.json().message]).toEqual([404, 'There is no Deployment shop/web.']);
    const pod = await why('shop', 'Pod', 'web');
    expect([pod.statusCode, pod.json().message]).toEqual([
      400,
      'kind must be Deployment, StatefulSet, CronJob, ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease or Application.',
    ]);
  });
});

describe('the preview of tonight', () => {
  it('says what would be touched, in order, what not, and what to know before', async () => {
    const select = [{ namespace: 'shop', name: 'web' }];
    await start({
      objects: [deployment('shop', 'web'), deployment('shop', 'cart'), deployment('kube-system', 'dns')],
      config: {
        hibernateOrdering: { tiers: [{ name: 'front', select }] },
        wakeOrdering: { tiers: [{ name: 'first', select: [{ namespace: 'shop', name: 'cart' }] }] },
      },
    });
    const preview = (await world.call('preview', {}, token)).json();
    expect(preview).toMatchObject({
      tiers: [
        { name: 'everything else', workloads: ['Deployment shop/cart'] },
        { name: 'front', workloads: ['Deployment shop/web'] },
      ],
      wakeTiers: [
        { name: 'first', workloads: ['Deployment shop/cart'] },
        { name: 'everything else', workloads: ['Deployment shop/web'] },
      ],
      at: '2026-01-05T19:00:00.000Z',
      touched: 2,
      skipped: [{ workload: 'Deployment kube-system/dns', code: 'namespace_excluded' }],
      cut: false,
    });
    expect(preview.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'no_startup_probe',
      'no_startup_probe',
    ]);
    const cut = (await world.call('preview', { query: { limit: 1 } }, token)).json();
    expect([cut.cut, cut.touched, cut.tiers.flatMap(({ workloads }: { workloads: string[] }) => workloads)]).toEqual([
      true,
      2,
      ['Deployment shop/cart'],
    ]);
  });
});

describe('the preview of what applies others', () => {
  it('has it where the controller has it: before all of them in the evening, after all of them in the morning', async () => {
    const applied = {
      'kustomize.toolkit.fluxcd.io/name': 'apps',
      'kustomize.toolkit.fluxcd.io/namespace': 'shop',
    };
    const data = { tiers: [{ name: 'data', select: [{ namespace: 'shop' }] }] };
    await start({
      objects: [
        definitionOf('Kustomization'),
        workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'web', replicas: 2, labels: applied }),
        neighbour('Kustomization', 'shop/apps'),
      ],
      config: { targeting: { kinds: ['Kustomization'] }, hibernateOrdering: data, wakeOrdering: data },
    });
    const { tiers, wakeTiers } = (await world.call('preview', {}, token)).json();
    const apart = [
      { name: 'appliers', workloads: ['Kustomization shop/apps'] },
      { name: 'data', workloads: ['Deployment shop/web'] },
    ];
    expect([tiers, wakeTiers]).toEqual([apart, apart.toReversed()]);
  });
});

describe('the preview of what a kind would add', () => {
  const drivenBy = (name: string) => neighbour('ScaledObject', `shop/${name}`, { spec: { scaleTargetRef: { name } } });
  const objects = [
    definitionOf('ScaledObject'),
    deployment('shop', 'web'),
    ...['worker', 'mailer'].map((name) => deployment('shop', name)),
    deployment('shop', 'idle', 0),
    deployment('kube-system', 'scaled'),
    ...['worker', 'mailer', 'idle'].map(drivenBy),
    neighbour('ScaledObject', 'kube-system/scaled', { spec: { scaleTargetRef: { name: 'scaled' } } }),
  ];

  it('counts what is up and left alone for it, and nothing that stays excluded', async () => {
    await start({ objects });
    expect((await world.call('preview', {}, token)).json().wouldAdd).toEqual([
      {
        kind: 'ScaledObject',
        workloads: 2,
        text: 'With ScaledObject in config.targeting.kinds 2 workloads more would sleep',
      },
    ]);
  });

  it('is nothing once the kind is on', async () => {
    await start({ objects, config: { targeting: { kinds: ['ScaledObject'] } } });
    expect((await world.call('preview', {}, token)).json().wouldAdd).toEqual([]);
  });
});

describe('the preview of what its owner has at zero', () => {
  it('neither counts it nor warns of it', async () => {
    await start({ objects: [deployment('shop', 'web'), deployment('shop', 'idle', 0)] });
    const { touched, warnings } = (await world.call('preview', {}, token)).json();
    expect([touched, warnings.map(({ workload }: { workload: string }) => workload)]).toEqual([
      1,
      ['Deployment shop/web'],
    ]);
  });
});

describe('the preview of what is no workload', () => {
  it('names databases, services with the reason of those left out, and hosting clusters', async () => {
    const secretRef = { name: 'wake', key: 'hmac' };
    const address = { type: 'instance', identifier: 'orders-1', region: 'eu-central-1' };
    await start({
      objects: oddServices,
      config: {
        ...oddConfig,
        databases: { orders: address, stock: address },
        externalDependencies: [{ cluster: 'hub', url: 'https://hub.example.com', secretRef }],
      },
      state: {
        database_states: JSON.stringify({
          stock: { status: 'stopped', stoppedByUs: true, at: '2026-01-05T10:00:00Z' },
        }),
      },
    });
    const preview = (await world.call('preview', {}, token)).json();
    expect(preview.databases).toEqual(['orders']);
    expect(preview.redirects).toEqual([...redirectedServices.map((service) => ({ service })), ...leftOutServices]);
    expect(preview.hosts).toEqual(['hub']);
  });
});

describe('the preview of what another cluster keeps up', () => {
  const wakeOrdering = {
    tiers: [
      { name: 'data', databases: ['orders'], select: [] },
      { name: 'front', select: [{ namespace: 'shop', name: 'web' }] },
      { name: 'reports', databases: ['stock'], select: [{ namespace: 'shop', name: 'report' }] },
    ],
  };
  const database = { type: 'instance', identifier: 'one', region: 'eu-central-1' };
  const session = (expiresAt: string) => ({
    id: 's',
    cluster: 'edge',
    resources: [{ namespace: 'shop', name: 'web' }],
    startedAt: '2026-01-05T09:00:00Z',
    expiresAt,
  });
  const rows: Record<string, [expiresAt: string, excluded: string[], touched: string[], databases: string[]]> = {
    'leaves it up, and the databases that it needs': ['2026-01-05T21:00:00Z', [], ['cart'], ['stock']],
    'takes it down when the session has ended by then': [
      '2026-01-05T18:00:00Z',
      [],
      ['cart', 'web'],
      ['orders', 'stock'],
    ],
    'takes it down where no session counts': ['2026-01-05T21:00:00Z', ['sh*'], ['cart', 'web'], ['orders', 'stock']],
  };
  it.each(Object.entries(rows))('%s', async (_name, [expiresAt, excludedNamespaces, touched, databases]) => {
    await start({
      objects: [deployment('shop', 'web'), deployment('shop', 'cart')],
      config: {
        wakeOrdering,
        databases: { orders: database, stock: database },
        externalWake: { excludedNamespaces },
      },
      state: { external_wake_sessions: JSON.stringify([session(expiresAt)]) },
    });
    const preview = (await world.call('preview', {}, token)).json();
    expect(preview.at).toBe('2026-01-05T19:00:00.000Z');
    const workloads = preview.tiers.flatMap((tier: { workloads: string[] }) => tier.workloads);
    expect(workloads).toEqual(touched.map((name) => `Deployment shop/${name}`));
    expect([preview.touched, preview.databases]).toEqual([touched.length, databases]);
  });
});

describe('the report on the state', () => {
  it('names keys that cannot be decoded and records that do not fit the cluster', async () => {
    const gone = [
      { kind: 'Deployment', namespace: 'shop', name: 'gone', uid: 'u', replicas: 2, at: '2026-01-04T19:00:00Z' },
    ];
    await start({ state: { resource_states: JSON.stringify(gone), satellites: '5' } });
    const report = (await world.call('stateReport', {}, token)).json();
    expect(report.level).toBe('normal');
    expect(report.undecodable).toEqual([
      'The value of satellites in ConfigMap svc-state cannot be decoded: it must be an array, not 5.',
    ]);
    expect(report.differences).toEqual([
      {
        kind: 'no-workload',
        workload: 'Deployment shop/gone',
        message: 'Deployment shop/gone has a record and does not exist.',
      },
    ]);
  });
});
