import type { Config } from '../../config/config.ts';
import type { AdmissionFacts } from '../../ports/admission-facts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ClusterView, WorkloadWriter } from '../../ports/cluster.ts';
import type { Databases } from '../../ports/databases.ts';
import type { HostingClusters } from '../../ports/hosting-clusters.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Notifier } from '../../ports/notifier.ts';
import type { Off } from '../../ports/off.ts';
import type { Random } from '../../ports/random.ts';
import type { AuditLog, EventSink, FrameSink } from '../../ports/sinks.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import type { LicensePort } from '../../service/license-source.ts';
import type { VersionedStore } from '../../state/state-store.ts';
import type { Companion } from '../beside/companion.ts';
import type { EndedPass } from '../insights/sample.ts';
import type { ControllerMetrics } from '../metrics/metrics.ts';

/** Everything the controller needs of the outside. Only `main.ts` and the simulation put one together; nothing may be left out. */
export interface ControllerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly view: ClusterView;
  readonly writer: WorkloadWriter;
  readonly state: VersionedStore;
  readonly audit: AuditLog;
  readonly events: EventSink;
  readonly frames: FrameSink;
  readonly notifier: Notifier;
  readonly databases: Databases;
  /** Whose pods must answer before a wake can write anything. */
  readonly admission: AdmissionFacts;
  /** Satellites, node-autoscaler protection: what else goes down and comes up with the cluster. */
  readonly companions: readonly Companion[];
  /** The clusters that this one depends on. */
  readonly hosts: HostingClusters | Off;
  readonly metrics: ControllerMetrics;
  /** The release namespace: never scaled. */
  readonly ownNamespace: string;
  /** The configuration in force: the last good one. */
  config(): Config;
  compiled(): CompiledConfig;
  readonly license: LicensePort;
  /** Hears of every pass that ran to its end: keeps the books on what is saved. */
  afterPass(pass: EndedPass): Promise<void>;
}
