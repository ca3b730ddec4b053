import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silenceMs } from '../../src/platform/loop-liveness.ts';
import { freePorts } from '../../tools/cluster/free-ports.ts';
import { find } from '../chart/harness/helm.ts';
import type { ControllerLife } from '../cluster/release/controller-life.ts';
import { type ProcessName, type ShippedBundles, shippedBundles } from './harness/bundles.ts';
import { namespace } from './harness/chart-release.ts';
import { everyDay } from './harness/hours.ts';
import { deployment } from './harness/manifests.ts';
import { until } from './harness/until.ts';
import { WiredService } from './harness/wired-service.ts';

/** What a signal does to the process, beside the bundle: nothing of the bundle knows of it. */
const atSignal = {
  /** No timer ever ends again, and so much time has passed: a step that waits for either waits for good. */
  loses: (ms: number) =>
    `globalThis.setTimeout = () => ({ ref() {}, unref() {} }); const now = performance.now.bind(performance); performance.now = () => now() + ${ms};`,
  /** Connections are taken by the kernel, and nobody answers. */
  spins: 'for (;;);',
};

function preloaded(code: string): Readonly<Record<string, string>> {
  const module = `process.on('SIGUSR2', () => { ${code} });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

let bundles: ShippedBundles;
let service: WiredService;
let health: number;
let web: string;

beforeAll(async () => {
  bundles = await shippedBundles();
  web = mkdtempSync(join(tmpdir(), 'svc-web-'));
  writeFileSync(join(web, 'index.html'), '<!doctype html><title>svc</title>');
});
afterEach(() => service.close());
afterAll(async () => {
  rmSync(web, { recursive: true });
  await bundles.remove();
});

async function install(): Promise<void> {
  service = await WiredService.install({
    bundles,
    objects: [deployment('shop/web', { replicas: 2 })],
    config: () => ({ clusterName: 'wired', externalUrl: 'https://svc.example.com', ...everyDay('on') }),
  });
  [health = 0] = await freePorts(1);
}

interface Probe {
  readonly httpGet: { readonly path: string };
  readonly timeoutSeconds: number;
}

/** What a kubelet is told by the chart, and what it hears. */
async function probed(process: ProcessName, kind: 'livenessProbe' | 'readinessProbe'): Promise<'good' | 'bad'> {
  const name = process === 'controller' ? 'svc-controller' : 'svc-app';
  const { template } = find(service.release.objects, 'Deployment', name)['spec'] as {
    template: { spec: { containers: readonly ({ name: string } & Record<typeof kind, Probe>)[] } };
  };
  const probe = template.spec.containers.find((container) => container.name === process)?.[kind];
  if (probe === undefined) throw new Error(`The chart renders no ${kind} for ${process}.`);
  const signal = AbortSignal.timeout(probe.timeoutSeconds * 1000);
  const answer = await fetch(`http://127.0.0.1:${health}${probe.httpGet.path}`, { signal }).catch(() => undefined);
  return answer?.ok ? 'good' : 'bad';
}

const both = async (process: ProcessName) => ({
  alive: await probed(process, 'livenessProbe'),
  ready: await probed(process, 'readinessProbe'),
});
const becomes = (process: ProcessName, wanted: { alive: string; ready: string }) =>
  until(
    () => `${process} becomes ${JSON.stringify(wanted)}; it said ${service.lastWords(process)}`,
    async () => JSON.stringify(await both(process)) === JSON.stringify(wanted),
  );

/** The port of probes is another one here; a frontend answers them where it answers everything. */
function launch(process: ProcessName, code: string): ControllerLife {
  const moved = { HEALTH_PORT: `${health}`, HTTP_PORT: `${health}`, WEB_ROOT: web };
  return service.launch(process, { ...moved, ...preloaded(code) });
}

const signal = (life: ControllerLife) => process.kill(life.pid, 'SIGUSR2');

describe('the liveness probe of a shipped process', () => {
  it.each(['controller', 'api', 'frontend'] as const)('%s: fails when the process hangs', async (name) => {
    await install();
    const life = launch(name, atSignal.spins);
    await becomes(name, { alive: 'good', ready: 'good' });
    signal(life);
    await until('the probe fails', async () => (await probed(name, 'livenessProbe')) === 'bad');
    expect([await probed(name, 'livenessProbe'), life.alive]).toEqual(['bad', true]);
  });

  it('controller: fails when a pass never ends, though the process answers', async () => {
    await install();
    const life = launch('controller', atSignal.loses(silenceMs + 1));
    await becomes('controller', { alive: 'good', ready: 'good' });
    // What it writes now is never answered.
    let reached = false;
    service.cluster.api.faults.add({
      match: ({ user, verb }) => {
        const hangs = user.endsWith(':svc-controller') && ['create', 'update', 'patch'].includes(verb);
        reached ||= hangs;
        return hangs;
      },
      effect: { kind: 'delay', ms: 3_600_000 },
    });
    service.writeConfig(JSON.stringify({ ...service.config, ...everyDay('off') }));
    await until('the pass writes', () => reached);
    expect(await probed('controller', 'livenessProbe')).toBe('good');
    signal(life);
    await becomes('controller', { alive: 'bad', ready: 'good' });
  });

  it.each(['controller', 'api'] as const)('%s: holds while the process is only not ready', async (name) => {
    await install();
    // The apiserver answers, and lets it read nothing of the cluster: no restart would mend that.
    service.cluster.api.faults.add({
      match: ({ user, resource }) =>
        user.startsWith(`system:serviceaccount:${namespace}:`) && resource !== 'configmaps',
      effect: { kind: 'fail', status: 403 },
    });
    const life = launch(name, atSignal.loses(24 * 3_600_000));
    await becomes(name, { alive: 'good', ready: 'bad' });
    signal(life);
    for (let asked = 0; asked < 5; asked++) expect(await both(name)).toEqual({ alive: 'good', ready: 'bad' });
    expect(life.alive).toBe(true);
  });
});
