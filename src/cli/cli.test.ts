import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../embedded-cluster/apply-objects.ts';
import { EmbeddedCluster } from '../../embedded-cluster/embedded-cluster.ts';
import { nowhere } from '../../embedded-cluster/kubelet/behaviour.ts';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { ApiWorld, adminAddress } from '../../test/support/api-world.ts';
import { asShipped, noApi } from '../../test/support/as-shipped.ts';
import { definitionOf, neighbour } from '../../test/support/builders/neighbours.ts';
import { workloadsOnly } from '../../test/support/controller-features.ts';
import { type RunningController, startController } from '../controller/main.ts';
import type { ControllerFeatures } from '../controller/main-features.ts';
import { annotations } from '../domain/names.ts';
import { silentLogger } from '../platform/silent-logger.ts';
import { runCli } from './cli.ts';
import { serverOf } from './commands/login.ts';
import { checkedServer, connectToApi } from './connection/api-connection.ts';
import { connectToCluster } from './connection/cluster-connection.ts';
import { SessionFile } from './connection/session-file.ts';
import type { Connection } from './terminal/command.ts';
import { parseFlags } from './terminal/flags.ts';
import { oneLine, table, timeText } from './terminal/layout.ts';

const { hibernatedReplicas, markedUid, markedBy } = annotations;
/** Monday noon in Berlin. */
const noon = Date.UTC(2026, 0, 5, 11);
let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-cli-'));
});
afterEach(() => rm(home, { recursive: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line, letting virtual time pass until it has ended. */
async function run(
  args: readonly string[],
  options: { clock?: VirtualClock; connect?: () => Promise<Connection>; answers?: string[] } = {},
): Promise<Ran> {
  const clock = options.clock ?? new VirtualClock(noon);
  const said = { out: '', err: '' };
  const answers = options.answers;
  let ended = false;
  const running = runCli({
    args,
    env: { XDG_CONFIG_HOME: home },
    clock,
    version: '1.2.3',
    terminal: {
      out(text) {
        said.out += text;
      },
      err(text) {
        said.err += text;
      },
      ...(answers === undefined ? {} : { ask: async () => answers.shift() ?? '' }),
    },
    connect: options.connect ?? (() => Promise.reject(new Error('no connection was expected'))),
  }).finally(() => {
    ended = true;
  });
  for (let turn = 1; !ended; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (turn % 5 === 0) await clock.advance(100);
  }
  return { code: await running, ...said };
}

/** The real controller on an embedded cluster, reached as with a kubeconfig. */
class ClusterWorld {
  readonly clock = new VirtualClock(noon);
  readonly cluster = new EmbeddedCluster({ clock: this.clock, random: seededRandom(1), events: 'none' });
  controller!: RunningController;

  static async start(
    config: Record<string, unknown> = {},
    more: readonly Manifest[] = [],
    branding?: string,
    features: Partial<ControllerFeatures> = {},
  ): Promise<ClusterWorld> {
    const world = new ClusterWorld();
    const text = JSON.stringify({ clusterName: 'test', externalUrl: 'https://svc.example.com', ...config });
    world.cluster.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'svc' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'svc-config', namespace: 'svc' },
        data: { 'config.yaml': text, ...(branding === undefined ? {} : { 'branding.yaml': branding }) },
      },
      deployment('web'),
      deployment('api'),
      ...more,
    ]);
    world.cluster.start();
    await world.startController(features);
    return world;
  }

  beginController(features: Partial<ControllerFeatures> = {}): Promise<RunningController> {
    return startController({
      transport: this.#transport(),
      clock: this.clock,
      random: seededRandom(2),
      logger: silentLogger,
      namespace: 'svc',
      ...asShipped,
      frames: noApi,
      features: workloadsOnly(features),
    });
  }

  async startController(features: Partial<ControllerFeatures> = {}): Promise<void> {
    const starting = this.beginController(features);
    await this.clock.advance(1000);
    this.controller = await starting;
    await this.clock.advance(30_000);
  }

  /** As `kubectl scale` does it. */
  scale(name: string, replicas: number): void {
    const found = this.cluster.store.get('deployments.apps', 'shop', name)!;
    this.cluster.store.update('deployments.apps', { ...found, spec: { ...(found['spec'] as object), replicas } });
  }

  /** As on an installation by the chart. */
  labelConfig(labels: Record<string, string>): void {
    const found = this.cluster.store.get('configmaps', 'svc', 'svc-config')!;
    this.cluster.store.update('configmaps', { ...found, metadata: { ...found.metadata, labels } });
  }

  state(): Readonly<Record<string, string>> {
    return this.cluster.store.get('configmaps', 'svc', 'svc-state')!['data'] as Record<string, string>;
  }

  #transport() {
    return this.cluster.transport({ user: 'kubernetes-admin', groups: ['system:masters'] });
  }

  run(args: readonly string[], answers?: string[]): Promise<Ran> {
    return run(args, {
      clock: this.clock,
      ...(answers === undefined ? {} : { answers }),
      connect: () =>
        connectToCluster({
          transport: this.#transport(),
          clock: this.clock,
          random: seededRandom(3),
          namespace: 'svc',
          where: 'embedded',
          warn() {},
        }),
    });
  }

  replicas(name: string): number {
    return (this.cluster.store.get('deployments.apps', 'shop', name)!['spec'] as { replicas: number }).replicas;
  }
}

function deployment(name: string, pod: object = {}): Manifest {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop', labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'a:1' }], ...pod } },
    },
  };
}

function annotated(name: string): Manifest {
  const plain = deployment(name);
  return { ...plain, metadata: { ...plain.metadata, annotations: { 'svc.io/exclude': 'true' } } } as Manifest;
}

describe('svc with a kubeconfig', () => {
  it('tells the status, as text and as JSON', async () => {
    const world = await ClusterWorld.start();
    const text = await world.run(['status']);
    expect([text.code, text.err]).toEqual([0, '']);
    expect(text.out).toContain('Awake until 20:00 (Europe/Berlin), 2 of 2 up');
    expect(text.out).toContain('Next change: 2026-01-05 20:00 (Europe/Berlin)');
    expect(JSON.parse((await world.run(['status', '-o', 'json'])).out)).toMatchObject({
      active: false,
      state: 'awake',
    });
  });

  it('hibernates and wakes, and waits for both', async () => {
    const world = await ClusterWorld.start();
    const dry = await world.run(['hibernate', '--dry-run']);
    expect([dry.code, dry.out]).toEqual([0, 'Dry run: this would take down 2 workloads. Nothing was changed.\n']);
    expect(world.replicas('web')).toBe(2);
    const down = await world.run(['hibernate', '--wait']);
    expect([down.code, down.out]).toEqual([0, 'Hibernation Complete\n']);
    expect([world.replicas('web'), world.replicas('api')]).toEqual([0, 0]);
    const up = await world.run(['wake', '--wait', '--for', '2h']);
    expect([up.code, up.out]).toEqual([0, 'Wake Complete\n']);
    expect([world.replicas('web'), world.replicas('api')]).toEqual([2, 2]);
    const again = await world.run(['keep-awake', '--for', '3h']);
    expect(again.out).toContain('The cluster already runs; it stays awake until');
    const audit = await world.run(['audit']);
    expect(audit.out).toContain('kubernetes-admin@kubeconfig.local');
    expect((await world.run(['resume'])).out).toBe('The schedule decides again.\n');
  });

  it('names the cluster that keeps a part up while the rest sleeps', async () => {
    const world = await ClusterWorld.start({ externalWake: { enabled: true, localClusterName: 'test' } });
    await world.run(['hibernate', '--wait']);
    const state = world.cluster.store.get('configmaps', 'svc', 'svc-state')!;
    const session = {
      id: 's',
      cluster: 'shop-dev',
      resources: [{ namespace: 'shop', name: 'web' }],
      startedAt: new Date(world.clock.now()).toISOString(),
      expiresAt: '2026-01-05T13:00:00Z',
    };
    world.cluster.store.update('configmaps', {
      ...state,
      data: { ...(state['data'] as object), external_wake_sessions: JSON.stringify([session]) },
    });
    await world.clock.advance(60_000);
    const kept = 'Cluster shop-dev keeps 1 workload up until 2026-01-05 14:00 (Europe/Berlin) (external wake)\n';
    const status = await world.run(['status']);
    expect(status.out).toContain(kept);
    expect(status.out).toContain('Next change: 2026-01-05 14:00 (Europe/Berlin), when the session of shop-dev ends\n');
    expect((await world.run(['why'])).out).toContain(kept);
    expect((await world.run(['why', 'deployment', 'shop/web'])).out).toContain(
      'Up until 14:00 (Europe/Berlin): cluster shop-dev needs it (external wake).\nThe cluster itself: Hibernated until',
    );
  });

  const hub = { cluster: 'hub', url: 'https://hub.example.com', secretRef: { name: 'wake', key: 'hmac' } };
  const unreachableHosts = {
    hosts: {
      wake: async () => ({ outcome: 'unreachable', message: 'no answer came (ECONNREFUSED)' }) as const,
      end: async () => false,
    },
  };

  it('wakes what its owners raised already without waiting for anybody, and clears the records', async () => {
    const config = { externalDependencies: [hub] };
    const world = await ClusterWorld.start(config, [], undefined, unreachableHosts);
    await world.run(['hibernate', '--wait']);
    await world.controller.stop();
    for (const name of ['web', 'api']) world.scale(name, 2);
    await world.startController(unreachableHosts);
    const woken = await world.run(['wake', '--wait', '--for', '2h']);
    expect([woken.code, woken.out]).toEqual([0, 'Wake Made No Changes\n']);
    expect((await world.run(['status'])).out).toContain('Awake until 20:00 (Europe/Berlin), 2 of 2 up\n');
    expect(world.state()['resource_states']).not.toContain('shop');
  });

  it('waits for the wake that is due, however late the controller comes to it', async () => {
    const world = await ClusterWorld.start();
    await world.run(['hibernate', '--wait']);
    await world.controller.stop();
    world.clock.after(60_000, () => void world.beginController());
    const woken = await world.run(['wake', '--wait']);
    expect([woken.code, woken.out]).toEqual([0, 'Wake Complete\n']);
  });

  it('says of what its owners raised in the night that a hibernation leaves it', async () => {
    const world = await ClusterWorld.start();
    await world.run(['hibernate', '--wait']);
    world.scale('web', 2);
    await world.clock.advance(30_000);
    const dry = await world.run(['hibernate', '--dry-run']);
    expect(dry.out).toBe('Dry run: this would take down 0 workloads. Nothing was changed.\n');
    expect((await world.run(['hibernate', '--wait'])).out).toBe('Nothing had to be done.\n');
    expect(world.replicas('web')).toBe(2);
    expect(JSON.parse((await world.run(['status', '-o', 'json'])).out).workloads.wouldSleep).toBe(0);
  });

  const ownController = (readyReplicas: number): Manifest => ({
    ...deployment('svc-controller', readyReplicas === 0 ? { nodeSelector: { nowhere: 'true' } } : {}),
    metadata: { name: 'svc-controller', namespace: 'svc', labels: { app: 'svc-controller' } },
  });

  it.each<[string, readonly Manifest[], string]>([
    ['is gone', [], 'Deployment svc/svc-controller is not there: nobody carries out what is asked for'],
    [
      'has no pod that is ready',
      [ownController(0)],
      'Deployment svc/svc-controller has no pod that is ready: nobody carries out what is asked for',
    ],
  ])('warns when the controller of the chart %s, and the doctor fails', async (_, objects, text) => {
    const world = await ClusterWorld.start({}, objects);
    world.labelConfig({ 'helm.sh/chart': 'svc-1.0.0' });
    const doctor = await world.run(['doctor']);
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringMatching(`failed +controller +${text}\n`)]);
    expect(doctor.out).toContain('controller: see docs/troubleshooting.md');
    const act = await world.run(['hibernate']);
    expect([act.code, act.err]).toEqual([0, `warning: ${text}\n`]);
    expect((await world.run(['wake', '--dry-run'])).err).toBe('');
  });

  it('finds the controller of the chart at work, and looks for none where no chart installed it', async () => {
    const world = await ClusterWorld.start({}, [ownController(2)]);
    expect((await world.run(['doctor'])).out).not.toContain('svc-controller');
    world.labelConfig({ 'helm.sh/chart': 'svc-1.0.0' });
    const doctor = await world.run(['doctor']);
    expect([doctor.code, doctor.out]).toEqual([
      0,
      expect.stringMatching(/ok +controller +Deployment svc\/svc-controller is ready\n/),
    ]);
    expect((await world.run(['resume'])).err).toBe('');
  });

  it('takes a bare time as the next one by the clock of the cluster, and answers by that clock', async () => {
    const world = await ClusterWorld.start();
    const later = await world.run(['keep-awake', '--until', '22:00']);
    expect(later.out).toBe('The cluster already runs; it stays awake until 2026-01-05 22:00 (Europe/Berlin).\n');
    const passed = await world.run(['keep-awake', '--until', '09:30']);
    expect(passed.out).toContain('until 2026-01-06 09:30 (Europe/Berlin).');
    const dry = await world.run(['keep-awake', '--until', '22:00', '--dry-run']);
    expect(dry.out).toBe(
      'Dry run: this would wake 0 workloads and keep the cluster awake until 2026-01-05 22:00 (Europe/Berlin). Nothing was changed.\n',
    );
    const wrong = await world.run(['keep-awake', '--until', '25:00']);
    expect([wrong.code, wrong.err]).toEqual([
      1,
      '--until: "25:00" is not a time such as 22:00, or 2026-12-24T18:00:00Z with a zone\n',
    ]);
  });

  it('ends with an error, and the reason, after a wake that left a workload behind', async () => {
    const world = await ClusterWorld.start({}, [deployment('gpu', { nodeSelector: nowhere })]);
    expect((await world.run(['hibernate', '--wait'])).code).toBe(0);
    const up = await world.run(['wake', '--wait', '--for', '2h']);
    expect([up.code, up.out]).toEqual([
      1,
      'Wake Complete - 1 workload failed\n  Deployment shop/gpu was still Unschedulable after 15 minutes\n',
    ]);
  });

  it('waits for a wake that is asked for while something is left down, and tells what came of it', async () => {
    const world = await ClusterWorld.start();
    expect((await world.run(['hibernate', '--wait'])).code).toBe(0);
    const endPolicy = world.cluster.api.faults.add({
      match: ({ verb, resource, name }) => verb === 'patch' && resource === 'deployments.apps' && name === 'web',
      effect: { kind: 'fail', status: 403, message: 'denied by the policy of the house' },
    });
    const first = await world.run(['wake', '--wait', '--for', '2h']);
    expect([first.code, first.out]).toEqual([
      1,
      'Wake Complete - 1 workload failed\n  Deployment shop/web: svc could not scale it up: denied by the policy of the house\n',
    ]);
    endPolicy();
    const second = await world.run(['wake', '--wait', '--for', '3h']);
    expect([second.code, second.out, world.replicas('web')]).toEqual([0, 'Wake Complete\n', 2]);
    const third = await world.run(['wake', '--wait', '--for', '4h']);
    expect([third.code, third.out]).toEqual([0, expect.stringContaining('The cluster already runs; it stays awake')]);
  });

  it('stands down and ends it, and tells a refusal by its exit code', async () => {
    const world = await ClusterWorld.start();
    expect((await world.run(['stand-down', '--reason', 'release'])).code).toBe(0);
    const refused = await world.run(['wake']);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('(stand_down)')]);
    expect(refused.err).toMatch(/\nSee docs\/stand-down\.md#when-it-ends\n$/);
    expect((await world.run(['stand-down'])).code).toBe(3);
    expect((await world.run(['status'])).out).toContain('Not scaling - stood down by');
    const ended = await world.run(['stand-down', '--end']);
    expect([ended.code, ended.out]).toEqual([0, 'Stand-down ended.\n']);
  });

  it.each([
    ['stand-down', 'off', '--dry-run'],
    ['stand-down', 'status'],
    ['stand-down', 'end', 'now'],
    ['wake', 'shop'],
    ['status', 'all'],
    ['state', 'show', 'all'],
    ['resources', 'shop'],
    ['why', 'deployment', 'shop/web', 'now'],
  ])('goes nowhere for a word that it does not take: %s %s', async (...args) => {
    const stray = args.filter((word) => !word.startsWith('--')).at(-1);
    const { code, err } = await run(args);
    expect([code, err]).toEqual([1, expect.stringContaining(`does not take the word "${stray}"`)]);
    expect(err).toContain(`It is called: svc ${args[0]}`);
  });

  it('asks before it acts when there is somebody to ask', async () => {
    const world = await ClusterWorld.start();
    const no = await world.run(['hibernate'], ['n']);
    expect([no.code, no.err]).toEqual([3, 'Nothing was changed.\n']);
    expect((await world.run(['hibernate'], ['yes'])).out).toBe('The cluster goes to sleep.\n');
  });

  it('says of a CronJob that its owner had suspended that it returns to that', async () => {
    const job = (name: string, suspend: boolean): Manifest => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name, namespace: 'shop' },
      spec: {
        schedule: '@hourly',
        suspend,
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'job', image: 'a:1' }] } } },
        },
      },
    });
    const world = await ClusterWorld.start({}, [job('paused', true), job('nightly', false)]);
    await world.run(['hibernate', '--wait']);
    const rows = (await world.run(['resources', '--kind', 'CronJob'])).out.split('\n');
    expect(rows[1]).toMatch(/^CronJob +shop +nightly +hibernated +suspended +active/);
    expect(rows[2]).toMatch(/^CronJob +shop +paused +down +suspended +suspended/);
  });

  it('lists, explains and plans', async () => {
    const world = await ClusterWorld.start();
    const list = await world.run(['resources', '-q', 'web']);
    expect(list.out.split('\n')[1]).toMatch(/^Deployment +shop +web +up +2 +-/);
    expect((await world.run(['why', 'deployment', 'shop/web'])).code).toBe(0);
    expect((await world.run(['why', 'deployment', 'web'])).err).toBe(
      'Name a workload, such as: svc why deployment shop/cart\n',
    );
    const plan = (await world.run(['plan', '--days', '2'])).out;
    expect(plan.split('\n')[0]).toBe('Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00');
    expect(plan).toContain(
      'The next hibernation would touch 2 workloads and leave 0 alone.\n  everything else: 2\nThe wake after it, in order:\n  everything else: 2\n',
    );
    expect((await world.run(['plan', '--days', '0'])).err).toBe('--days is a number from 1 to 62, not "0"\n');
    const doctor = await world.run(['doctor']);
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringMatching(/ok +state/)]);
    // Both workloads declare no start-up probe: that is a warning, and one page says what to do.
    expect(doctor.out.trimEnd().split('\n').at(-1)).toBe(
      'next hibernation: see docs/first-night.md#2-read-what-it-would-do',
    );
  });

  it.each(['Deployment', 'deployments', 'deploy'])('explains a workload whose kind is written %s', async (kind) => {
    const world = await ClusterWorld.start();
    const answer = await world.run(['why', kind, 'shop/web']);
    expect([answer.code, answer.out]).toEqual([0, expect.stringMatching(/^Deployment shop\/web is at 2 replicas/)]);
  });

  it.each([
    ['a kind', ['why', 'pod', 'shop/web'], 'kind must be Deployment, '],
    ['a name', ['why', 'deploy', 'shop/none'], 'There is no Deployment shop/none.'],
    ['a namespace', ['why', 'deploy', 'web'], 'Name a workload, such as: svc why deployment shop/cart'],
    ['a duration', ['wake', '--for', 'long'], '--for: '],
  ])('ends with an error, and not with a refusal, for %s that is wrong', async (_, args, says) => {
    const world = await ClusterWorld.start();
    const answer = await world.run(args);
    expect([answer.code, answer.err]).toEqual([1, expect.stringContaining(says)]);
  });

  it('plans what switching a kind on would add', async () => {
    const driven = [
      definitionOf('ScaledObject'),
      neighbour('ScaledObject', 'shop/web', { spec: { scaleTargetRef: { name: 'web' } } }),
    ];
    const off = await ClusterWorld.start({}, driven);
    expect((await off.run(['plan'])).out.split('\n')).toContain(
      'With ScaledObject in config.targeting.kinds 1 workload more would sleep.',
    );
    const on = await ClusterWorld.start({ targeting: { kinds: ['ScaledObject'] } }, driven);
    expect((await on.run(['plan'])).out).not.toContain('config.targeting.kinds');
  });

  it('plans in a dry run what would be', async () => {
    const dryRun = { operations: { dryRun: true }, workingHours: { schedule: { monday: 'off' } } };
    const world = await ClusterWorld.start(dryRun, [annotated('kept')]);
    const plan = (await world.run(['plan'])).out.split('\n');
    expect(plan[0]).toBe('Dry run. By the schedule: Hibernated until Tuesday 08:00 (Europe/Berlin): Monday is off');
    expect(plan).toContain('The next hibernation would touch 2 workloads and leave 1 alone.');
  });

  it('plans what will be, with what a person did', async () => {
    const world = await ClusterWorld.start();
    await world.run(['keep-awake', '--until', '22:00']);
    const kept = await world.run(['plan', '-o', 'json']);
    expect((await world.run(['plan'])).out.split('\n')[0]).toBe(
      'Awake until 22:00 (Europe/Berlin): woken by kubernetes-admin@kubeconfig.local at 12:00',
    );
    expect(JSON.parse(kept.out)).toMatchObject({
      reason: { code: 'wake_override' },
      preview: { at: '2026-01-05T21:00:00.000Z' },
    });
    await world.run(['hibernate', '--wait']);
    expect((await world.run(['plan'])).out.split('\n')[0]).toMatch(
      /^Hibernated until Tuesday 08:00 \(Europe\/Berlin\): hibernated by hand by kubernetes-admin@kubeconfig\.local at 12:/,
    );
    await world.run(['stand-down']);
    expect((await world.run(['plan'])).out.split('\n')[0]).toMatch(/stood down by kubernetes-admin@kubeconfig\.local/i);
  });

  it('says until when the cluster really stays awake, and that an earlier wake is not shortened', async () => {
    const world = await ClusterWorld.start();
    const short = await world.run(['wake', '--for', '30m']);
    expect(short.out).toMatch(
      /^The cluster already runs; it stays awake until 2026-01-05 12:3\d \(Europe\/Berlin\)\. It is up after that too, by itself, until 2026-01-05 20:00 \(Europe\/Berlin\)\.\n$/,
    );
    await world.run(['wake', '--for', '10h']);
    expect((await world.run(['wake', '--for', '9h'])).out).toMatch(
      /it stays awake until 2026-01-05 22:0\d \(Europe\/Berlin\)\. An earlier wake lasts longer, and is not shortened; --until sets the end\.\n$/,
    );
    expect((await world.run(['keep-awake', '--until', '21:00'])).out).toBe(
      'The cluster already runs; it stays awake until 2026-01-05 21:00 (Europe/Berlin).\n',
    );
  });

  it('says of an act in a dry run that it is one, and does not wait', async () => {
    const world = await ClusterWorld.start({ operations: { dryRun: true } });
    const asleep = await world.run(['hibernate', '--wait']);
    expect([asleep.code, asleep.out, asleep.err]).toEqual([
      0,
      'Dry run: no workload is changed; the wish is kept and counts when the dry run ends. The cluster would go to sleep.\n',
      '',
    ]);
    const awake = await world.run(['wake', '--wait', '--until', '22:00']);
    expect(awake.out).toBe(
      'Dry run: no workload is changed; the wish is kept and counts when the dry run ends. The cluster already runs; it stays awake until 2026-01-05 22:00 (Europe/Berlin).\n',
    );
    expect(world.replicas('web')).toBe(2);
  });

  it('says why in a dry run by the schedule', async () => {
    const dryRun = { operations: { dryRun: true }, workingHours: { schedule: { monday: 'off' } } };
    const world = await ClusterWorld.start(dryRun);
    expect((await world.run(['why'])).out.split('\n')[1]).toBe(
      'Dry run. By the schedule: Hibernated until Tuesday 08:00 (Europe/Berlin): Monday is off',
    );
  });

  it('warns of a holiday region that does not exist', async () => {
    const world = await ClusterWorld.start({ holidays: { regions: ['XX-YY'] } });
    const doctor = await world.run(['doctor']);
    expect([doctor.code, doctor.out]).toEqual([
      0,
      expect.stringMatching(/warning +holidays +config\.holidays\.regions/),
    ]);
    expect(doctor.out).toContain('holidays: see docs/schedules.md#holidays');
  });

  it('warns of a brand that is ignored, with the reason', async () => {
    const world = await ClusterWorld.start({}, [], "accentColor: '#ffff00'");
    const doctor = await world.run(['doctor']);
    expect([doctor.code, doctor.out]).toEqual([
      0,
      expect.stringMatching(
        /warning +brand +ignored, the product's own is shown: branding\.accentColor has a contrast of 1\.07:1 against white/,
      ),
    ]);
    expect(doctor.out).toContain('brand: see docs/branding.md#is-it-taken');
  });

  it('names a brand that is taken', async () => {
    const logo = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>';
    const world = await ClusterWorld.start({}, [], `name: Acme\nlogo: { light: '${logo}' }`);
    expect((await world.run(['doctor'])).out).toMatch(/^ok +brand +Acme$/m);
  });

  it('counts what the plan warns of beside the first of it', async () => {
    const world = await ClusterWorld.start();
    const warnings = (await world.run(['plan'])).out.split('\n').filter((line) => line.startsWith('warning: '));
    const doctor = (await world.run(['doctor'])).out;
    expect(warnings.length).toBeGreaterThan(1);
    expect(doctor).toContain(`${warnings[0]?.slice('warning: '.length)} … and ${warnings.length - 1} more: svc plan\n`);
  });

  it('finds nothing wrong with records in the middle of a wake, which keeps them until it has seen the workloads back', async () => {
    const world = await ClusterWorld.start({}, [deployment('gpu', { nodeSelector: nowhere })]);
    await world.run(['hibernate', '--wait']);
    await world.run(['wake']);
    await world.clock.advance(20_000);
    expect(world.replicas('gpu')).toBe(2);
    const doctor = await world.run(['doctor']);
    expect(doctor.out).toMatch(/ok +state +\d+ bytes; a wake runs, so records and cluster are not compared/);
  });

  it('shows, verifies and rebuilds the state', async () => {
    const world = await ClusterWorld.start();
    expect((await world.run(['hibernate', '--wait'])).code).toBe(0);
    expect((await world.run(['state', 'verify'])).out).toMatch(/^Records and cluster agree; \d+ bytes \(normal\)\.\n$/);
    expect((await world.run(['state', 'show'])).out).toContain('resource_states:');
    await world.controller.stop();
    const state = world.cluster.store.get('configmaps', 'svc', 'svc-state')!;
    world.cluster.store.update('configmaps', {
      ...state,
      data: { ...(state['data'] as object), resource_states: '[]' },
    });
    expect((await world.run(['state', 'verify'])).code).toBe(2);
    const dry = await world.run(['state', 'rebuild', '--dry-run']);
    expect(dry.out).toContain('would add Deployment shop/web: 2 replicas');
    const rebuilt = await world.run(['state', 'rebuild']);
    expect([rebuilt.code, rebuilt.out]).toEqual([0, expect.stringContaining('2 records rebuilt.')]);
    expect((await world.run(['state', 'verify'])).code).toBe(0);
    const broken = world.cluster.store.get('configmaps', 'svc', 'svc-state')!;
    world.cluster.store.update('configmaps', {
      ...broken,
      data: { ...(broken['data'] as object), resource_states: '{' },
    });
    const refused = await world.run(['state', 'rebuild']);
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('svc state rebuild --replace')]);
    expect((await world.run(['state', 'rebuild', '--replace'])).code).toBe(0);
    expect((await world.run(['state', 'verify'])).code).toBe(0);
  });

  it('rebuilds nothing that another release put to sleep', async () => {
    const world = await ClusterWorld.start({ targeting: { namespaces: { exclude: [{ exact: 'shop' }] } } });
    const web = world.cluster.store.get('deployments.apps', 'shop', 'web')!;
    const marks = { [hibernatedReplicas]: '2', [markedUid]: web.metadata.uid, [markedBy]: 'another-release' };
    world.cluster.store.update('deployments.apps', {
      ...web,
      metadata: { ...web.metadata, annotations: { ...web.metadata.annotations, ...marks } },
      spec: { ...(web['spec'] as object), replicas: 0 },
    });
    expect((await world.run(['state', 'rebuild', '--dry-run'])).out).not.toContain('shop/web');
  });
});

describe('svc over the API', () => {
  it('signs in by code, keeps the sign-in for its owner alone, uses and ends it', async () => {
    const world = await ApiWorld.start({ port: 0 });
    try {
      const server = world.running.url;
      const api = (args: readonly string[]) =>
        run(args, {
          clock: world.clock,
          connect: () =>
            connectToApi({ server, sessions: new SessionFile({ XDG_CONFIG_HOME: home }), clock: world.clock }),
        });
      const stranger = await api(['status', '--server', server]);
      expect([stranger.code, stranger.err]).toEqual([
        1,
        `Sign in first.\nSign in with: svc login --server ${server} --email ADDRESS\n`,
      ]);
      const asked = await api(['login', '--server', server, '--email', adminAddress]);
      expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--code CODE')]);
      await world.pass();
      const code = /\b\d{8}\b/.exec(world.inbox.mails.at(-1)?.text ?? '')?.[0] ?? '';
      const wrong = await api(['login', '--server', server, '--email', adminAddress, '--code', '00000000']);
      expect(wrong.code).toBe(1);
      const signed = await api(['login', '--server', server, '--email', adminAddress, '--code', code]);
      expect([signed.code, signed.out]).toEqual([0, expect.stringContaining(`as ${adminAddress}, an admin`)]);
      const file = join(home, 'svc', 'sessions.json');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await api(['status'])).code).toBe(0);
      expect((await api(['state', 'show'])).err).toBe('This reads the cluster itself: give --kubeconfig PATH\n');
      await chmod(file, 0o644);
      expect((await api(['status'])).err).toContain('can be read by others; run: chmod 600');
      await chmod(file, 0o600);
      expect((await api(['logout', '--server', server])).out).toBe(`Signed out of ${server}.\n`);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({});
    } finally {
      await world.stop();
    }
  });

  it.each([
    [429, 'rate_limited', 'Too many codes were asked for.', '287', 3],
    [503, 'overloaded', 'So many mails wait.', '10', 1],
  ])('says that no code comes when asking for one is answered %i, and asks for none', async (...row) => {
    const [status, code, message, retryAfter, exit] = row;
    const server = createServer((_request, answer) => {
      answer.writeHead(status, { 'content-type': 'application/json', 'retry-after': retryAfter });
      answer.end(JSON.stringify({ code, message }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const answers = ['00000000'];
      const ran = await run(['login', '--server', url, '--email', adminAddress], { answers });
      expect([ran.code, ran.err, answers]).toEqual([
        exit,
        `${message} Ask again in ${retryAfter} s. A code that has come is given with --code CODE.\nSee docs/limits.md\n`,
        ['00000000'],
      ]);
    } finally {
      server.close();
    }
  });

  it('goes to the only server that it is signed in to, and asks which when there are several', async () => {
    const env = { XDG_CONFIG_HOME: home };
    const sessions = new SessionFile(env);
    const session = { email: adminAddress, token: 't', expiresAt: '2026-01-06T00:00:00Z' };
    await expect(serverOf({}, env)).rejects.toThrow('No server: give --server');
    await sessions.set('https://one.example.com', session);
    expect(await serverOf({}, env)).toBe('https://one.example.com');
    expect(await serverOf({}, { ...env, SVC_SERVER: 'https://two.example.com' })).toBe('https://two.example.com');
    await sessions.set('https://two.example.com', session);
    await expect(serverOf({}, env)).rejects.toThrow(
      'Signed in to https://one.example.com and https://two.example.com: say which with --server or SVC_SERVER',
    );
  });

  it('renews a sign-in that is about to end', async () => {
    const world = await ApiWorld.start({ port: 0 });
    try {
      const server = world.running.url;
      const issued = world.running.api.signIn.startSession({ text: adminAddress, local: 'ada', domain: 'example.com' });
      const sessions = new SessionFile({ XDG_CONFIG_HOME: home });
      const expiresAt = new Date(world.clock.now() + 10_000).toISOString();
      await sessions.set(server, { email: adminAddress, token: 'old', expiresAt, refreshToken: issued.refreshToken });
      const status = await run(['status'], {
        clock: world.clock,
        connect: () => connectToApi({ server, sessions, clock: world.clock }),
      });
      expect(status.code).toBe(0);
      expect((await sessions.get(server))?.token).not.toBe('old');
    } finally {
      await world.stop();
    }
  });

  it.each(['http://svc.example.com', 'svc.example.com', 'ftp://x'])('sends no token to %s', (text) => {
    expect(() => checkedServer(text)).toThrow('is not an https address such as https://svc.example.com');
  });
});

describe('svc license', () => {
  it('makes keys, issues a license, and finds a good one and a forged one', async () => {
    const key = join(home, 'key.pem');
    const made = await run(['license', 'keygen', key, '-o', 'json']);
    const { publicKey } = JSON.parse(made.out);
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    expect((await run(['license', 'keygen', key])).err).toBe(`${key} exists already\n`);
    const issued = await run([
      'license',
      'issue',
      '--key',
      key,
      '--licensee',
      'Ada',
      '--expires',
      '2027-01-01T00:00:00Z',
    ]);
    const file = join(home, 'license');
    await writeFile(file, issued.out);
    const good = await run(['license', 'verify', file, '--key', publicKey]);
    expect([good.code, good.out]).toEqual([0, 'Good: license-2026-01-05 for Ada, until 2027-01-01 00:00 (UTC).\n']);
    const other = await run(['license', 'verify', file]);
    expect([other.code, other.err]).toEqual([3, 'The signature is not that of this key.\n']);
    const late = await run(['license', 'verify', file, '--key', publicKey], {
      clock: new VirtualClock(Date.UTC(2027, 1)),
    });
    expect(late.code).toBe(3);
  });
});

describe('the command line itself', () => {
  it.each([
    [['--version'], 0, 'svc 1.2.3\n'],
    [
      ['wake', '--help'],
      0,
      'svc wake [--for DURATION | --until TIME] [--wait [--timeout DURATION]]\n\nWake the cluster now.\n',
    ],
  ])('%j', async (args, code, out) => {
    expect(await run(args)).toEqual({ code, out, err: '' });
  });

  it.each([
    [['fly'], 'svc fly is not known. There are: status, why, wake,'],
    [['status', '--fly'], "Unknown option '--fly'"],
    [['status', '-o', 'xml'], '--output is text or json, not "xml"'],
    [['keep-awake'], 'Say how long: --until 22:00 or --for 4h'],
    [['state'], 'Say what: svc state show, svc state verify or svc state rebuild'],
    [['login'], 'No server: give --server https://svc.example.com, set SVC_SERVER, or use --kubeconfig'],
    [
      ['status', '--reason', 'incident'],
      'svc status takes no --reason; its flags are --output, --server, --kubeconfig, --context, --help, --version.',
    ],
    [['stand-down', '--for', '2h'], 'svc stand-down takes no --for; its flags are --reason, --end, --wait, --timeout,'],
    [['stand-down', 'end', '--wait'], 'svc stand-down end takes no --wait; its flags are --dry-run, --yes, --output,'],
    [['state', 'show', '--replace'], 'svc state show takes no --replace; its flags are --output,'],
    [['license', '--key', 'x'], 'svc license takes no --key; its flags are --output,'],
    [['wake', '-n', 'shop'], 'svc wake takes no --namespace; its flags are --for, --until,'],
    [['license', 'forge'], 'svc license forge is not known; there are keygen, issue and verify'],
  ])('%j is an error in words', async (args, message) => {
    const ran = await run(args);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(message)]);
  });

  it('tells in its overview what --namespace does, and how to name the namespace of the release', async () => {
    const { out } = await run(['help']);
    expect(out).toContain('--namespace NS      of a listing: only what is in this namespace');
    expect(out).toContain('SVC_NAMESPACE names the namespace of the release');
  });

  it('lets nothing from the cluster steer the terminal', () => {
    expect(oneLine('a\u001b[31mb\nc\u202ed')).toBe('a [31mb c d');
    expect(
      table(
        ['A', 'B'],
        [
          ['x\n', 'y'],
          ['long', 'z'],
        ],
      ),
    ).toEqual(['A     B', 'x     y', 'long  z']);
    expect(timeText('2026-07-01T06:00:00Z', 'Europe/Berlin')).toBe('2026-07-01 08:00 (Europe/Berlin)');
    expect(parseFlags(['wake', '--wait', '-o', 'json'])).toMatchObject({
      ok: true,
      words: ['wake'],
      flags: { wait: true, output: 'json' },
    });
  });
});
