import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { provision } from '../../tools/provision/provision.ts';
import { type CommandResult, runCommand } from '../../tools/provision/run-command.ts';
import { type ControllerBundle, controllerBundle } from './release/controller-bundle.ts';
import { ControllerLife, type LogLine } from './release/controller-life.ts';
import { hours } from './scenarios/acts.ts';
import { manifestOf } from './scenarios/workload-manifests.ts';

// As an operator would: the commands of the documentation, kubectl, and the bundle beside them.

const soon = { timeout: 60_000, interval: 300 };
const root = fileURLToPath(new URL('../..', import.meta.url));
const logs: LogLine[] = [];

let folder: string;
let kubeconfig: string;
let bundle: ControllerBundle;
let controller: ControllerLife;
beforeAll(async () => {
  // Another temporary folder, so that a cluster which somebody has up is not the one that this test takes down.
  folder = await mkdtemp(join(tmpdir(), 'svc-up-'));
  await mkdir(join(folder, 'manifests'));
  bundle = await controllerBundle();
  const up = await npmRunCluster('up');
  kubeconfig = /^kubeconfig: (.+)$/m.exec(up.stdout)?.[1] ?? '';
});
afterAll(async () => {
  await controller?.kill();
  if (kubeconfig) await npmRunCluster('down');
  await bundle?.remove();
  await rm(folder, { recursive: true, force: true });
});

function npmRunCluster(...args: readonly string[]): Promise<CommandResult> {
  return runCommand('npm', ['run', '--silent', 'cluster', '--', ...args], { cwd: root, env: { TMPDIR: folder } });
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const { kubectl: program } = await provision('controlplane');
  const result = await runCommand(program, args, { env: { KUBECONFIG: kubeconfig } });
  expect(result.stderr).toBe('');
  return result.stdout.trim();
}

async function file(name: string, ...objects: readonly object[]): Promise<string> {
  const path = join(folder, 'manifests', name);
  await writeFile(path, objects.map((object) => stringify(object)).join('---\n'));
  return path;
}

function configMap(all: 'on' | 'off') {
  const config = { clusterName: 'shop', externalUrl: 'https://svc.example.com', ...hours(all) };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'svc-config', namespace: 'svc' },
    data: { 'config.yaml': stringify(config) },
  };
}

/** `web=3 db=2 report=false`: counts, and whether the CronJob is suspended. */
async function shop(): Promise<string> {
  const template = '{range .items[*]}{.metadata.name}={.spec.replicas}{.spec.suspend} {end}';
  return kubectl('-n', 'shop', 'get', 'deployments,statefulsets,cronjobs', '-o', `jsonpath=${template}`);
}

function run(args: readonly string[] = []): ControllerLife {
  const env = { KUBECONFIG: kubeconfig, POD_NAMESPACE: 'svc', HEALTH_PORT: '0', METRICS_PORT: '0' };
  return new ControllerLife({ bundle: bundle.file, args, env, onLine: (line) => logs.push(line) });
}

const up = 'web=3 db=2 report=false';
const down = 'web=0 db=0 report=true';

describe('an operator with kubectl', () => {
  it('brings a cluster up, applies workloads and a configuration, and starts the controller', async () => {
    expect(await kubectl('get', 'nodes', '-o', 'name')).toContain('node/sim-node-0');
    await kubectl('create', 'namespace', 'shop');
    await kubectl('create', 'namespace', 'svc');
    const workloads = [
      { name: 'web', replicas: 3 },
      { kind: 'StatefulSet', name: 'db', replicas: 2 },
      { kind: 'CronJob', name: 'report' },
    ] as const;
    await kubectl('-n', 'shop', 'apply', '-f', await file('shop.yaml', ...workloads.map(manifestOf)));
    await kubectl('apply', '-f', await file('config.yaml', configMap('off')));
    controller = run();
    await vi.waitFor(async () => expect(await shop()).toBe(down), soon);
  });

  it('reads the state, one line a workload', async () => {
    await vi.waitFor(async () => {
      const phase = await kubectl('-n', 'svc', 'get', 'configmap', 'svc-state', '-o', 'jsonpath={.data.phase}');
      expect(JSON.parse(phase)).toMatchObject({ phase: 'hibernated' });
    }, soon);
    const states = await kubectl(
      '-n',
      'svc',
      'get',
      'configmap',
      'svc-state',
      '-o',
      'jsonpath={.data.resource_states}',
    );
    expect(JSON.parse(states)).toHaveLength(3);
    const line = states.split('\n').find((text) => text.includes('"web"')) ?? '';
    expect(JSON.parse(line.replace(/,$/, ''))).toMatchObject({ kind: 'Deployment', namespace: 'shop', replicas: 3 });
  });

  it('wakes the cluster by editing the state, and lets it sleep again by clearing the key', async () => {
    const at = new Date();
    const override = { until: new Date(at.getTime() + 3_600_000).toISOString(), by: 'operator', at: at.toISOString() };
    await edit({ wake_override: JSON.stringify(override) });
    await vi.waitFor(async () => expect(await shop()).toBe(up), soon);
    const rolledOut = kubectl('-n', 'shop', 'rollout', 'status', 'deployment/web', '--timeout=60s');
    expect(await rolledOut).toContain('successfully rolled out');
    await edit({ wake_override: '' });
    await vi.waitFor(async () => expect(await shop()).toBe(down), soon);
  });

  it('spoils the state: nothing is scaled and nothing is overwritten until it is repaired', async () => {
    const key = 'jsonpath={.data.resource_states}';
    const settled = async () => {
      const phase = await kubectl('-n', 'svc', 'get', 'configmap', 'svc-state', '-o', 'jsonpath={.data.transition}');
      expect(phase).toBe('');
    };
    await vi.waitFor(settled, soon);
    const states = await kubectl('-n', 'svc', 'get', 'configmap', 'svc-state', '-o', key);
    await edit({ resource_states: '[{"kind":' });
    await vi.waitFor(() => {
      expect(logs.map(({ msg }) => msg)).toContain(
        'A value of the state cannot be decoded: what stands on it waits until it is repaired',
      );
    }, soon);
    await kubectl('apply', '-f', await file('config.yaml', configMap('on')));
    await vi.waitFor(() => expect(logs.map(({ msg }) => msg)).toContain('Configuration reloaded'), soon);
    expect(await shop()).toBe(down);
    expect(await kubectl('-n', 'svc', 'get', 'configmap', 'svc-state', '-o', key)).toBe('[{"kind":');
    await edit({ resource_states: states });
    await vi.waitFor(async () => expect(await shop()).toBe(up), soon);
  });

  it('hands everything back with the command of the uninstall hook', async () => {
    await kubectl('apply', '-f', await file('config.yaml', configMap('off')));
    await vi.waitFor(async () => expect(await shop()).toBe(down), soon);
    expect(await run(['uninstall', '--timeout', '2m']).ended).toBe(0);
    expect(await shop()).toBe(up);
    await vi.waitFor(async () => {
      const selector = '--field-selector=involvedObject.kind=Namespace';
      expect(await kubectl('get', 'events', '-n', 'svc', selector, '-o', 'name')).not.toBe('');
      const reasons = 'jsonpath={.items[*].reason}';
      expect(await kubectl('get', 'events', '-n', 'svc', selector, '-o', reasons)).toContain('StoodDown');
    }, soon);
  });

  async function edit(data: Readonly<Record<string, string>>): Promise<void> {
    await kubectl('-n', 'svc', 'patch', 'configmap', 'svc-state', '--type=merge', '-p', JSON.stringify({ data }));
  }
});
