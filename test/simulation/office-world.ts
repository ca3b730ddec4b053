import type { KubeObject } from '../../embedded-cluster/object-store.ts';
import type { AuditEntry } from '../../src/domain/audit/entry.ts';
import type { StandDownState } from '../../src/domain/stops/stand-down-state.ts';
import type { Databases } from '../../src/ports/databases.ts';
import type { PartSizes } from '../../src/state/parts/state-part.ts';
import { standDown } from '../../src/state/stand-down.ts';
import { namespaceManifest, type WorkloadParts, workloadManifest } from '../support/builders/manifests.ts';
import { RecordingLogger } from '../support/recording-logger.ts';
import { levelOf, refOf } from './oracle/workload-level.ts';
import { releaseNamespace } from './world/shipped-controller.ts';
import { SimWorld } from './world/sim-world.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const ann = 'ann@example.com';

export interface OfficeOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly workloads?: readonly WorkloadParts[];
  /** Besides `shop`. */
  readonly namespaces?: readonly string[];
  readonly databases?: Databases;
  /** Smaller than in production: then a handful of workloads outgrows `svc-state`. */
  readonly partSizes?: PartSizes;
}

const shop: readonly WorkloadParts[] = [
  { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 3, labels: { tier: 'web' } },
  { kind: 'Deployment', namespace: 'shop', name: 'parked', replicas: 0 },
  { kind: 'StatefulSet', namespace: 'shop', name: 'db', replicas: 2, labels: { tier: 'data' } },
  { kind: 'CronJob', namespace: 'shop', name: 'report' },
  { kind: 'CronJob', namespace: 'shop', name: 'resting', suspended: true },
];

/** Office hours in UTC, Monday 5 January 2026; a controller that can be asked what it said and wrote. */
export class OfficeWorld extends SimWorld {
  readonly log: RecordingLogger;

  constructor(options: OfficeOptions = {}) {
    const logger = new RecordingLogger();
    super({
      startAt: Date.UTC(2026, 0, 5, 12),
      config: { workingHours: { timezone: 'UTC' }, ...options.config },
      objects: [
        ...['shop', ...(options.namespaces ?? [])].map((name) => namespaceManifest(name)),
        ...(options.workloads ?? shop).map(workloadManifest),
      ],
      logger,
      ...(options.databases === undefined ? {} : { databases: options.databases }),
      ...(options.partSizes === undefined ? {} : { partSizes: options.partSizes }),
    });
    this.log = logger;
  }

  /** Starts the controller and goes on to that time of the day, counted from Monday: `at(20, 5)`, `at(32)`. */
  async at(hours: number, minutes = 0): Promise<this> {
    if (this.process === undefined) this.start();
    await this.advance(Date.UTC(2026, 0, 5, hours, minutes) - this.clock.now());
    return this;
  }

  levels(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.workloads().map((object) => [refOf(object), levelOf(object)]));
  }

  level(ref: string): number | undefined {
    return this.levels()[ref];
  }

  workload(ref: string): KubeObject {
    const found = this.workloads().find((object) => refOf(object) === ref);
    if (found === undefined) throw new Error(`There is no ${ref}.`);
    return found;
  }

  /** As its owner would: with another field manager. */
  owner(ref: string, change: { readonly spec?: object; readonly annotations?: Record<string, string> | null }): void {
    const object = this.workload(ref);
    const resource =
      { Deployment: 'deployments.apps', StatefulSet: 'statefulsets.apps' }[object.kind] ?? 'cronjobs.batch';
    const { annotations, ...rest } = object.metadata;
    const kept = change.annotations === null ? {} : { annotations: { ...annotations, ...change.annotations } };
    const spec = { ...(object['spec'] as object), ...change.spec };
    this.store.update(resource, { ...object, metadata: { ...rest, ...kept }, spec } as KubeObject, {
      actor: { manager: 'kubectl-edit', operation: 'Update' },
    });
  }

  audit(): readonly AuditEntry[] {
    return this.store
      .list('configmaps', releaseNamespace)
      .filter(({ metadata }) => metadata.name.startsWith('svc-audit-'))
      .flatMap((object) => (object['data'] as Record<string, string>)['entries']!.trim().split('\n'))
      .filter(Boolean)
      .map((line) => JSON.parse(line) as AuditEntry);
  }

  audited(title: string): readonly AuditEntry[] {
    return this.audit().filter((entry) => entry.title === title);
  }

  events(namespace: string): readonly { readonly type: string; readonly reason: string; readonly message: string }[] {
    const all = this.store.list('events', namespace);
    const inOrder = all.toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
    return inOrder.map((event) => {
      // The store keeps objects of any kind; these are events.
      const { type, reason, message } = event as unknown as { type: string; reason: string; message: string };
      return { type, reason, message };
    });
  }

  standDownState(): StandDownState {
    const decoded = standDown.decode(this.stateData()['stand_down']);
    if (!decoded.ok) throw new Error(decoded.message);
    return decoded.value;
  }

  cards(): readonly string[] {
    return this.notices.map(({ title }) => title);
  }
}

export const allUp = {
  'Deployment shop/cart': 3,
  'Deployment shop/parked': 0,
  'StatefulSet shop/db': 2,
  'CronJob shop/report': 1,
  'CronJob shop/resting': 0,
};
export const allDown = Object.fromEntries(Object.keys(allUp).map((ref) => [ref, 0]));
