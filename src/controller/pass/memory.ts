import type { EpochMs } from '../../domain/workload.ts';
import { ActBackoff } from '../act/act-backoff.ts';
import { Life } from '../act/life.ts';
import { Lowerings } from '../act/lowerings.ts';
import { PacedReads } from '../act/paced-reads.ts';
import { PassConditions } from '../notifications/pass-conditions.ts';
import { RecordMismatch } from '../notifications/record-mismatch.ts';
import { ReplicaChanges } from '../notifications/replica-changes.ts';
import { LicenseGatekeeper } from '../stops/license.ts';
import { WatchOutages } from '../transition/watch-outages.ts';
import { ScopeByDay } from '../upkeep/scope-by-day.ts';
import { ResumePace } from '../wake/course/resume-pace.ts';
import { UnnotedWake } from '../wake/course/unnoted-wake.ts';
import type { ControllerPorts } from './ports.ts';
import { UndecodableKeys } from './undecodable-keys.ts';

/** What a process keeps from one pass to the next. A restart forgets it, which costs early tries, and one more lowering of what is put back whole. */
export class PassMemory {
  readonly startedAt: EpochMs;
  readonly driven = new Set<string>();
  /** Workloads that a read past the caches found gone. */
  readonly goneUids = new Set<string>();
  readonly lowerings = new Lowerings();
  /** When each database was last told to stop. */
  readonly stopsSent = new Map<string, EpochMs>();
  readonly resumePace = new ResumePace();
  readonly unnotedWake = new UnnotedWake();
  readonly recordMismatch = new RecordMismatch();
  readonly replicaChanges = new ReplicaChanges();
  readonly scopeByDay = new ScopeByDay();
  readonly watchOutages = new WatchOutages();
  readonly life: Life;
  readonly conditions: PassConditions;
  readonly backoff: ActBackoff;
  readonly reads: PacedReads;
  readonly gatekeeper: LicenseGatekeeper;
  readonly undecodableKeys: UndecodableKeys;
  /** How many passes moved the cluster as far as it went: one that does not know the license, or is held up by a key, does not. */
  decidingPasses = 0;

  constructor(ports: ControllerPorts) {
    this.startedAt = ports.clock.now();
    this.life = new Life(ports.clock);
    this.conditions = new PassConditions(ports.notifier);
    this.backoff = new ActBackoff(ports.clock, ports.logger);
    this.reads = new PacedReads(ports, this.backoff);
    this.gatekeeper = new LicenseGatekeeper(ports);
    this.undecodableKeys = new UndecodableKeys(ports);
  }

  /** Nothing is to go down: what was known of that is of no use to the next night. */
  nightIsOver(): void {
    this.replicaChanges.over();
    this.lowerings.over();
    this.backoff.endedLongAgo();
  }
}
