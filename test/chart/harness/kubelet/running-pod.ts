import { join } from 'node:path';
import type { Container, ContainerStatus, EnvVar, Pod, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { timestamp } from '../../../../embedded-cluster/controllers/machinery/timestamps.ts';
import { parseQuantity } from '../../../../src/domain/quantity.ts';
import { systemClock } from '../../../../src/platform/system-clock.ts';
import { freePorts } from '../../../../tools/cluster/free-ports.ts';
import type { ImageConfig } from '../../../../tools/images/image-specs.ts';
import type { Identity } from '../../../cluster/harness/cluster-clients.ts';
import { ContainerProcess, type Ending } from './container-process.ts';
import { PodFolder } from './pod-folder.ts';

interface ImageTree {
  readonly folder: string;
  readonly config: ImageConfig;
}

export interface PodSurroundings {
  readonly admin: Identity;
  /** A folder of the pod's own. */
  readonly folder: string;
  readonly imageOf: (reference: string) => ImageTree;
  /** `svc-api.svc.svc:8080` as an address of this machine. */
  readonly rewriteServices: (text: string) => string;
  readonly onChange: () => void;
}

const tokenFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** One pod: its volumes as folders, its containers as processes, its ports as free ports of this machine. */
export class RunningPod {
  readonly pod: Pod;
  readonly #around: PodSurroundings;
  readonly #folder: PodFolder;
  readonly #ports = new Map<number, number>();
  readonly #processes = new Map<string, ContainerProcess>();
  readonly #restarts = new Map<string, number>();
  readonly #endings = new Map<string, Ending>();
  #stopping = false;

  constructor(pod: Pod, around: PodSurroundings) {
    this.pod = pod;
    this.#around = around;
    this.#folder = new PodFolder(around.admin, pod, around.folder);
  }

  async start(): Promise<void> {
    const containers = this.pod.spec?.containers ?? [];
    const wanted = containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort));
    const free = await freePorts(wanted.length);
    for (const [index, port] of wanted.entries()) this.#ports.set(port, free[index] ?? 0);
    await this.#folder.mount();
    for (const container of containers) await this.#run(container);
  }

  process(container: string): ContainerProcess {
    const found = this.#processes.get(container);
    if (found === undefined) throw new Error(`There is no container ${container} in ${this.pod.metadata?.name}.`);
    return found;
  }

  get processes(): readonly ContainerProcess[] {
    return [...this.#processes.values()];
  }

  restartsOf(container: string): number {
    return this.#restarts.get(container) ?? 0;
  }

  get ready(): boolean {
    return this.processes.length > 0 && this.processes.every(({ ready }) => ready);
  }

  /** The port on this machine of a container port by number or name. */
  portOf(port: string | number): number | undefined {
    const all = (this.pod.spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
    const number = all.find((one) => one.name === port || one.containerPort === Number(port))?.containerPort;
    return number === undefined ? undefined : this.#ports.get(number);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const graceMs = (this.pod.spec?.terminationGracePeriodSeconds ?? 30) * 1000;
    await Promise.all(this.processes.map((one) => one.terminate(graceMs)));
  }

  async #run(container: Container): Promise<void> {
    const { folder, config } = this.#around.imageOf(container.image ?? '');
    const entrypoint = [...(container.command ?? config.entrypoint), ...(container.args ?? [])];
    // A path of the image is the same path below its tree.
    const command = entrypoint.map((word) => (/^\/(app|nodejs)\//.test(word) ? join(folder, word) : word));
    const { securityContext, readinessProbe, startupProbe, livenessProbe, resources } = container;
    const limitBytes = parseQuantity(resources?.limits?.['memory'] ?? '');
    const started = new ContainerProcess(
      {
        ...(limitBytes === undefined ? {} : { limitBytes }),
        name: container.name,
        command,
        env: { ...config.env, ...(await this.#environment(container)) },
        user: securityContext?.runAsUser ?? config.user,
        group: this.pod.spec?.securityContext?.fsGroup ?? config.user,
        ...(readinessProbe === undefined ? {} : { readiness: readinessProbe }),
        ...(startupProbe === undefined ? {} : { startup: startupProbe }),
        ...(livenessProbe === undefined ? {} : { liveness: livenessProbe }),
        portOf: (port) => this.portOf(port) ?? 0,
      },
      this.#around.onChange,
    );
    this.#processes.set(container.name, started);
    void started.ended.then((ending) => this.#onEnd(container, ending));
  }

  async #onEnd(container: Container, ending: Ending): Promise<void> {
    this.#endings.set(container.name, ending);
    if (!this.#stopping && this.pod.spec?.restartPolicy !== 'Never') {
      this.#restarts.set(container.name, this.restartsOf(container.name) + 1);
      systemClock.after(1_000, () => {
        if (!this.#stopping) void this.#run(container);
      });
    }
    this.#around.onChange();
  }

  async #environment(container: Container): Promise<Readonly<Record<string, string>>> {
    const server = new URL(this.#around.admin.access.server);
    const env: Record<string, string> = {
      KUBERNETES_SERVICE_HOST: server.hostname,
      KUBERNETES_SERVICE_PORT: server.port,
    };
    for (const variable of container.env ?? []) {
      const value = await this.#valueOf(variable);
      if (value !== undefined) env[variable.name] = this.#translated(variable.name, value, container);
    }
    const token = container.volumeMounts?.find(({ mountPath }) => mountPath === tokenFolder);
    if (token !== undefined) env['SVC_SERVICE_ACCOUNT_FOLDER'] = this.#folder.folderOf(token.name);
    return env;
  }

  async #valueOf({ value, valueFrom }: EnvVar): Promise<string | undefined> {
    if (valueFrom?.fieldRef !== undefined) return this.#folder.field(valueFrom.fieldRef.fieldPath);
    if (valueFrom?.secretKeyRef === undefined) return value ?? '';
    const { name = '', key, optional } = valueFrom.secretKeyRef;
    const content = (await this.#folder.secretData(name, optional))[key];
    if (content === undefined && !optional) throw new Error(`The Secret ${name} has no key ${key}.`);
    return content?.toString('utf8');
  }

  /** There is one network and one file system here, so ports and mount paths are others than in the pod. */
  #translated(name: string, value: string, { volumeMounts = [] }: Container): string {
    if (/(^|_)PORT$/.test(name)) return String(this.#ports.get(Number(value)) ?? value);
    const mount = volumeMounts.find(({ mountPath }) => value === mountPath || value.startsWith(`${mountPath}/`));
    if (mount !== undefined) return this.#folder.folderOf(mount.name) + value.slice(mount.mountPath.length);
    const below = volumeMounts.filter(({ mountPath }) => value !== '' && mountPath.startsWith(`${value}/`));
    if (below.length > 0) return this.#folder.folderAround(value, below);
    const inPod = value.replace(
      /\/\/127\.0\.0\.1:(\d+)/,
      (_, port: string) => `//127.0.0.1:${this.#ports.get(Number(port)) ?? port}`,
    );
    return this.#around.rewriteServices(inPod);
  }

  status(): PodStatus {
    const at = timestamp(systemClock.now());
    const isOver = this.pod.spec?.restartPolicy === 'Never' && this.#endings.size === this.pod.spec.containers.length;
    const failed = [...this.#endings.values()].some(({ code }) => code !== 0);
    const ready = this.ready && !isOver ? 'True' : 'False';
    const condition = (type: string, status: string) => ({ type, status, lastTransitionTime: at });
    return {
      phase: isOver ? (failed ? 'Failed' : 'Succeeded') : 'Running',
      startTime: this.pod.status?.startTime ?? at,
      hostIP: '10.0.0.251',
      podIP: '10.244.250.1',
      conditions: [
        condition('PodScheduled', 'True'),
        condition('Initialized', 'True'),
        condition('ContainersReady', ready),
        condition('Ready', ready),
      ],
      containerStatuses: this.processes.map((one) => this.#containerStatus(one, at)),
    };
  }

  #containerStatus(one: ContainerProcess, at: string): ContainerStatus {
    const container = this.pod.spec?.containers.find(({ name }) => name === one.name);
    const ending = this.#endings.get(one.name);
    const over = ending !== undefined && this.pod.spec?.restartPolicy === 'Never';
    const startedAt = timestamp(one.startedAt);
    return {
      name: one.name,
      image: container?.image ?? '',
      imageID: container?.image ?? '',
      ready: one.ready && !over,
      started: true,
      restartCount: this.restartsOf(one.name),
      state: over
        ? { terminated: { exitCode: ending.code, reason: ending.reason, startedAt, finishedAt: at } }
        : { running: { startedAt } },
    } as ContainerStatus;
  }
}
