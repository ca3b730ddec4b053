import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KubeObject } from '../../../embedded-cluster/object-store.ts';
import { readBytes } from '../../../src/adapters/kubernetes/client/read-bytes.ts';
import { readEntries } from '../../../src/domain/audit/stored-entry.ts';
import type { WorkloadRecord } from '../../../src/domain/record/record.ts';
import { resourceStates } from '../../../src/state/resource-states.ts';
import { namespaceManifest, type WorkloadParts, workloadManifest } from '../builders/manifests.ts';
import { definitionOf, isBuiltIn, type NeighbourKind, neighbour, storageOf } from '../builders/neighbours.ts';
import { ControllerWorld, releaseNamespace } from '../controller-world.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Monday, 17:00 in Berlin: an hour before the night. */
const afternoon = Date.UTC(2026, 0, 5, 16);
const workingHours = {
  timezone: 'Europe/Berlin',
  schedule: { monday: '08:00-18:00', tuesday: '08:00-18:00', wednesday: '08:00-18:00' },
};

/** The name under which Flux writes. */
export const flux = 'kustomize-controller';
export const cartPath = 'apps/v1/namespaces/shop/deployments/cart';
export const appsPath = 'kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/apps';

/** The labels of what a Kustomization applies. */
export function appliedBy(name: string): Readonly<Record<string, string>> {
  return { 'kustomize.toolkit.fluxcd.io/name': name, 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };
}

export function deployment(name: string, parts: Partial<WorkloadParts> = {}): Manifest {
  return workloadManifest({ kind: 'Deployment', namespace: 'shop', name, replicas: 2, ...parts });
}

export function cronJob(name: string, labels: Readonly<Record<string, string>> = {}): Manifest {
  return workloadManifest({ kind: 'CronJob', namespace: 'shop', name, labels });
}

export function kustomization(
  name: string,
  spec: object = {},
  labels: Readonly<Record<string, string>> = {},
): Manifest {
  const manifest = neighbour('Kustomization', `flux-system/${name}`, { spec: { path: `./${name}`, ...spec } });
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}

/** An Application that heals what it lists. */
export function application(name: string, annotations: Readonly<Record<string, string>> = {}): Manifest {
  const spec = {
    destination: { server: 'https://kubernetes.default.svc' },
    syncPolicy: { automated: { selfHeal: true } },
  };
  return neighbour('Application', `argocd/${name}`, { spec, annotations });
}

interface Request {
  readonly resource: string;
  readonly name: string;
  readonly verb: string;
  readonly user: string;
}

/** For faults that meet our writes to one object. */
export function isOurPatch(resource: string, name: string): (one: Request) => boolean {
  return (one) =>
    one.resource === resource && one.name === name && one.verb === 'patch' && one.user.includes('controller');
}

/** Like it, our reads. */
export function isOurRead(resource: string, name: string): (one: Request) => boolean {
  return (one) =>
    one.resource === resource && one.name === name && one.verb === 'get' && one.user.includes('controller');
}

/** A cluster with neighbours from the afternoon on, and what a test of its night asks and does. */
export class NeighbourNight {
  readonly world: ControllerWorld;
  readonly #config: Record<string, unknown>;

  constructor(kinds: readonly NeighbourKind[], objects: readonly Manifest[], more: Record<string, unknown> = {}) {
    this.#config = { workingHours, targeting: { kinds }, ...more };
    this.world = new ControllerWorld({ startAt: afternoon, config: this.#config });
    this.world.cluster.apply([
      ...kinds.filter((kind) => !isBuiltIn(kind)).map(definitionOf),
      ...['shop', 'flux-system', 'argocd'].map(namespaceManifest),
      ...objects,
    ]);
  }

  async start(): Promise<void> {
    await this.world.startController();
    await this.world.clock.advance(5 * minute);
  }

  reconfigure(change: Record<string, unknown>): void {
    this.world.reconfigure({ ...this.#config, ...change });
  }

  async wait(minutes: number): Promise<void> {
    await this.world.clock.advance(minutes * minute);
  }

  /** Hours after the afternoon. */
  async at(hours: number): Promise<void> {
    await this.world.clock.advance(afternoon + hours * hour - this.world.clock.now());
  }

  /** Ten minutes into the night. */
  night(): Promise<void> {
    return this.at(7 / 6);
  }

  /** Half an hour into the day. */
  morning(): Promise<void> {
    return this.at(15.5);
  }

  count(name: string): number | undefined {
    return this.world.replicas('shop', name);
  }

  /** What stands at `spec.suspend`. */
  suspended(name: string): boolean | undefined {
    const found = this.world.cluster.store.get(storageOf('Kustomization'), 'flux-system', name);
    return (found?.['spec'] as { suspend?: boolean } | undefined)?.suspend;
  }

  /** As Argo CD reports what an Application holds. */
  lists(name: string, resources: readonly Readonly<Record<string, string>>[]): void {
    const resource = storageOf('Application');
    const found = this.world.cluster.store.get(resource, 'argocd', name) as KubeObject;
    this.world.cluster.store.update(resource, { ...found, status: { resources } });
  }

  records(): readonly WorkloadRecord[] {
    const decoded = resourceStates.decode(this.world.stateData()['resource_states']);
    return decoded.ok ? decoded.value : [];
  }

  /** How often the audit log says so. */
  told(text: string): number {
    const files = this.world.cluster.store.get('configmaps', releaseNamespace, 'svc-audit-0')?.['data'] ?? {};
    const { entries } = readEntries(Object.values(files as Readonly<Record<string, string>>));
    return JSON.stringify(entries).split(text).length - 1;
  }

  /** The cards of a kind, in words. */
  cards(key: string): readonly string[] {
    return this.world.notices.filter((notice) => notice.key === key).map(({ text = '' }) => text);
  }

  write(manager: string, path: string, spec: object): Promise<void> {
    return this.#patch(manager, path, { spec });
  }

  annotate(manager: string, path: string, annotations: object): Promise<void> {
    return this.#patch(manager, path, { metadata: { annotations } });
  }

  async #patch(manager: string, path: string, change: object): Promise<void> {
    const { status } = await this.world.cluster.api.transport().send({
      method: 'PATCH',
      path: `/apis/${path}?fieldManager=${manager}`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify(change),
    });
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  }

  /** `kubectl replace`, or an operator's update: the whole object as its owner has it, without a mark of ours. */
  async replace(manager: string, path: string, manifest: Manifest): Promise<void> {
    const transport = this.world.cluster.api.transport();
    const url = `/apis/${path}`;
    const headers = { 'content-type': 'application/json' };
    const { body: stored } = await transport.send({ method: 'GET', path: url, headers });
    const { resourceVersion } = (JSON.parse((await readBytes(stored)).toString()) as KubeObject).metadata;
    const body = JSON.stringify({ ...manifest, metadata: { ...manifest.metadata, resourceVersion } });
    const { status } = await transport.send({ method: 'PUT', path: `${url}?fieldManager=${manager}`, headers, body });
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  }

  /** As another process of ours, or a hand, writes the state. */
  editState(change: Readonly<Record<string, string>>): void {
    const { store } = this.world.cluster;
    const state = store.get('configmaps', releaseNamespace, 'svc-state')!;
    store.update('configmaps', { ...state, data: { ...(state['data'] as object), ...change } });
  }

  /** As another hand, or another release, leaves the records. */
  editRecords(change: (record: Record<string, unknown>) => void): void {
    const stored = this.world.cluster.store.get('configmaps', releaseNamespace, 'svc-state')!;
    const data = stored['data'] as Readonly<Record<string, string>>;
    const records = JSON.parse(data['resource_states']!) as Record<string, unknown>[];
    for (const record of records) change(record);
    const resource_states = JSON.stringify(records);
    this.world.cluster.store.update('configmaps', { ...stored, data: { ...data, resource_states } });
  }

  /** How often we write such a thing to that object from now on. */
  ourActs(resource: string, name: string, isOne: (after: KubeObject) => boolean): { readonly times: number } {
    const seen = { times: 0 };
    this.world.cluster.api.faults.onWrite((one) => {
      if (one.resource !== resource || one.name !== name || !one.user.includes('svc-controller')) return;
      if (isOne(one.after)) seen.times++;
    });
    return seen;
  }

  /** The names of what we write from now on, in order. */
  ourWrites(names: readonly string[]): readonly string[] {
    const order: string[] = [];
    this.world.cluster.api.faults.onWrite(({ resource, name, user }) => {
      const isOurs = user.includes('svc-controller') && !resource.endsWith('/status');
      if (isOurs && names.includes(name)) order.push(name);
    });
    return order;
  }

  /** Calls back after each time that we take the Deployment cart down. */
  onceLowered(lowered: (times: number) => void): void {
    let times = 0;
    this.world.cluster.api.faults.onWrite(({ resource, name, user, after }) => {
      if (resource !== 'deployments.apps' || name !== 'cart' || !user.includes('svc-controller')) return;
      if ((after['spec'] as { replicas: number }).replicas === 0) lowered(++times);
    });
  }
}
