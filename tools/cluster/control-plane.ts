import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/platform/system-clock.ts';
import { sleep } from '../../src/ports/clock.ts';
import { type ControlPlaneBinaries, provision } from '../provision/provision.ts';
import { ask } from './apiserver-request.ts';
import {
  apiserverArguments,
  apiserverUrl,
  controllerManagerArguments,
  etcdArguments,
  type Ports,
  schedulerArguments,
  schedulerConfiguration,
} from './arguments.ts';
import { Child } from './child-process.ts';
import { openClaimsFolder } from './claims-folder.ts';
import { type Credentials, newCredentials, tokenFile } from './credentials.ts';
import { freePorts } from './free-ports.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { type ClusterFiles, clusterFiles, clustersFolder } from './layout.ts';
import { recordProcesses, sweepLeftovers } from './leftovers.ts';

export const processNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'nodes'] as const;
export type ProcessName = (typeof processNames)[number];

export interface ControlPlaneOptions {
  /** Absent: a new folder that goes away with the cluster. */
  readonly folder?: string;
  /** Without it nothing turns a Deployment into pods. */
  readonly controllerManager?: boolean;
  readonly scheduler?: boolean;
  /** How many simulated nodes run the pods; 0 starts none. */
  readonly nodes?: number;
}

/** How to reach a running control plane. */
export interface ClusterConnection {
  readonly dir: string;
  readonly url: string;
  readonly caFile: string;
  readonly kubeconfig: string;
  readonly adminToken: string;
  /** Folder with one log file a process. */
  readonly logs: string;
}

export interface ControlPlane extends ClusterConnection {
  processes(): Promise<readonly { name: ProcessName; pid: number; running: boolean }[]>;
  /** Ends one process and leaves it ended. */
  kill(name: ProcessName, signal?: NodeJS.Signals): Promise<void>;
  /** Starts one that was ended; resolves when an apiserver answers again. */
  start(name: ProcessName): Promise<void>;
  /** Kills the apiserver as a crash would, starts it again on the same port, and waits until it is ready. */
  restartApiserver(): Promise<void>;
  stop(): Promise<void>;
}

const readyWithinMs = 90_000;
const nodesProgram = fileURLToPath(new URL('./nodes/main.ts', import.meta.url));

/** Starts etcd, the apiserver and, unless left out, controllers, scheduler and nodes, all on loopback. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = await provision('controlplane');
  await sweepLeftovers();
  await openClaimsFolder();
  const folder = await newFolder(options.folder);
  const [etcdClient = 0, etcdPeer = 0, apiserver = 0] = await freePorts(3);
  const plane = new LocalControlPlane(binaries, clusterFiles(folder), { etcdClient, etcdPeer, apiserver }, options);
  try {
    await plane.begin();
    return plane;
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

async function newFolder(wanted: string | undefined): Promise<string> {
  const base = clustersFolder();
  await mkdir(base, { recursive: true, mode: 0o700 });
  if (wanted === undefined) return mkdtemp(join(base, 'run-'));
  await rm(wanted, { recursive: true, force: true });
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  return wanted;
}

class LocalControlPlane implements ControlPlane {
  readonly dir: string;
  readonly url: string;
  readonly caFile: string;
  readonly kubeconfig: string;
  readonly adminToken: string;
  readonly logs: string;
  readonly #binaries: ControlPlaneBinaries;
  readonly #files: ClusterFiles;
  readonly #ports: Ports;
  readonly #options: Required<Omit<ControlPlaneOptions, 'folder'>>;
  readonly #credentials: Credentials = newCredentials();
  readonly #children = new Map<ProcessName, Child>();
  #stopped = false;

  constructor(binaries: ControlPlaneBinaries, files: ClusterFiles, ports: Ports, options: ControlPlaneOptions) {
    this.#binaries = binaries;
    this.#files = files;
    this.#ports = ports;
    this.#options = {
      controllerManager: options.controllerManager ?? true,
      scheduler: options.scheduler ?? true,
      nodes: options.nodes ?? 0,
    };
    this.dir = files.folder;
    this.url = apiserverUrl(ports);
    this.caFile = files.servingCertificate;
    this.kubeconfig = files.adminKubeconfig;
    this.adminToken = this.#credentials.adminToken;
    this.logs = files.logs;
  }

  async begin(): Promise<void> {
    await this.#writeInputs();
    await this.#launch('etcd');
    await this.#launch('kube-apiserver');
    await this.#untilReady();
    await this.#writeKubeconfigs();
    if (this.#options.controllerManager) await this.#launch('kube-controller-manager');
    if (this.#options.scheduler) await this.#launch('kube-scheduler');
    if (this.#options.nodes > 0) await this.#launch('nodes');
    // The first account is the sign that the controllers work, and pods cannot be created before it.
    if (this.#options.controllerManager) await this.#until('/api/v1/namespaces/default/serviceaccounts/default');
    if (this.#options.nodes > 0) await this.#until('/api/v1/nodes', (body) => nodesAreReady(body, this.#options.nodes));
    const { dir, url, caFile, kubeconfig, adminToken, logs } = this;
    await writeFile(this.#files.connection, JSON.stringify({ dir, url, caFile, kubeconfig, adminToken, logs }), {
      mode: 0o600,
    });
  }

  async processes(): Promise<{ name: ProcessName; pid: number; running: boolean }[]> {
    return [...this.#children].map(([name, child]) => ({ name, pid: child.pid, running: child.running }));
  }

  async kill(name: ProcessName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#children.get(name);
    if (child === undefined) throw new Error(`${name} is not part of this control plane`);
    await child.kill(signal);
  }

  async start(name: ProcessName): Promise<void> {
    if (this.#children.get(name)?.running) return;
    await this.#launch(name);
    if (name === 'kube-apiserver') await this.#untilReady();
  }

  async restartApiserver(): Promise<void> {
    await this.kill('kube-apiserver');
    await this.start('kube-apiserver');
  }

  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    // Nothing of it is kept, so nothing has to be shut down in order.
    await Promise.all([...this.#children.values()].map((child) => child.kill('SIGKILL')));
    await rm(this.dir, { recursive: true, force: true });
  }

  async #writeInputs(): Promise<void> {
    const files = this.#files;
    await mkdir(files.logs, { recursive: true });
    await recordProcesses(this.dir, []);
    const secret = { mode: 0o600 };
    await writeFile(files.tokens, tokenFile(this.#credentials), secret);
    await writeFile(files.serviceAccountKey, this.#credentials.serviceAccountKey, secret);
    await writeFile(files.serviceAccountPublicKey, this.#credentials.serviceAccountPublicKey);
    await writeFile(files.schedulerConfiguration, schedulerConfiguration(files));
  }

  async #writeKubeconfigs(): Promise<void> {
    const certificateAuthority = await readFile(this.#files.servingCertificate, 'utf8');
    const write = (path: string, token: string) =>
      writeFile(path, kubeconfigText({ name: 'svc-test', server: this.url, certificateAuthority, token }), {
        mode: 0o600,
      });
    await write(this.#files.adminKubeconfig, this.#credentials.adminToken);
    await write(this.#files.controllerManagerKubeconfig, this.#credentials.controllerManagerToken);
    await write(this.#files.schedulerKubeconfig, this.#credentials.schedulerToken);
  }

  async #launch(name: ProcessName): Promise<void> {
    if (this.#stopped) throw new Error('the control plane was stopped');
    const [command, args] = this.#commandOf(name);
    this.#children.set(name, new Child({ name, command, args, logFile: join(this.logs, `${name}.log`) }));
    await recordProcesses(this.dir, [...this.#children.values()]);
  }

  #commandOf(name: ProcessName): [string, string[]] {
    const files = this.#files;
    switch (name) {
      case 'etcd':
        return [this.#binaries.etcd, etcdArguments(files, this.#ports)];
      case 'kube-apiserver':
        return [this.#binaries[name], apiserverArguments(files, this.#ports, this.#options.controllerManager)];
      case 'kube-controller-manager':
        return [this.#binaries[name], controllerManagerArguments(files)];
      case 'kube-scheduler':
        return [this.#binaries[name], schedulerArguments(files)];
      case 'nodes':
        return [
          process.execPath,
          [nodesProgram, '--kubeconfig', files.adminKubeconfig, '--nodes', String(this.#options.nodes)],
        ];
    }
  }

  #untilReady(): Promise<void> {
    return this.#until('/readyz');
  }

  /** Waits for a 200 at the path with a body that will do; a process that ends meanwhile is an error with its last words. */
  async #until(path: string, isEnough: (body: string) => boolean = () => true): Promise<void> {
    const deadline = systemClock.monotonic() + readyWithinMs;
    for (;;) {
      const answer = existsSync(this.caFile) ? await this.#ask(path) : undefined;
      if (answer?.status === 200 && isEnough(answer.body)) return;
      await this.#allRun();
      if (systemClock.monotonic() > deadline) {
        const last = answer === undefined ? 'no answer' : `status ${answer.status}`;
        throw new Error(`${this.url}${path} was not ready within ${readyWithinMs / 1000} s (last: ${last})`);
      }
      await sleep(systemClock, 50);
    }
  }

  async #allRun(): Promise<void> {
    const ended = [...this.#children.values()].find((child) => !child.running);
    if (ended !== undefined) throw new Error(`${await ended.exited}:\n${ended.lastWords()}`);
  }

  async #ask(path: string): Promise<{ status: number; body: string } | undefined> {
    const ca = await readFile(this.caFile, 'utf8');
    return ask({ url: `${this.url}${path}`, ca, token: this.adminToken });
  }
}

/** A new node carries a taint until the controllers have seen it ready; before that nothing can be placed on it. */
function nodesAreReady(body: string, count: number): boolean {
  const { items } = JSON.parse(body) as { items: { spec: { taints?: unknown[] } }[] };
  return items.filter((node) => (node.spec.taints ?? []).length === 0).length >= count;
}
