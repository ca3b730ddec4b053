import type { ClusterState } from '../../domain/cluster-state.ts';
import type { DesiredState } from '../../domain/desired/desired-state.ts';
import { checkLicense, type LicenseCheck, withControllers } from '../../domain/license/check.ts';
import type { CompiledSchedule } from '../../domain/schedule/compile.ts';
import type { StandDownState } from '../../domain/stops/stand-down-state.ts';
import { clusterStateNow } from '../../service/cluster-state.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { type DecidingState, desiredNow } from '../../service/desired.ts';
import type { ExternalWakeSession } from '../../state/external-wake-sessions.ts';
import { scheduleOverrides } from '../../state/intents/schedule-overrides.ts';
import type { WakeOverride } from '../../state/intents/wake-override.ts';
import { licenseCheck } from '../../state/license-check.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import { isRetry, type Transition } from '../../state/transition.ts';
import type { ApiPorts } from '../call/ports.ts';
import { Refusal } from '../call/refusal.ts';
import { degrade, need } from '../state/managed-state.ts';
import { statusState } from './needed-or-degraded-keys.ts';
import { type WorkloadsSnapshot, WorkloadsSnapshots } from './workloads-snapshot.ts';

/** Everything that one answer about the cluster stands on, decoded and decided. */
export interface Outlook {
  readonly now: number;
  readonly compiled: CompiledConfig;
  readonly schedule: CompiledSchedule;
  readonly deciding: DecidingState;
  readonly desired: DesiredState;
  readonly license: LicenseCheck;
  readonly stood: StandDownState;
  readonly state: ClusterState;
  readonly since: number | undefined;
  readonly override: WakeOverride | null;
  readonly transition: Transition<unknown> | null;
  readonly sessions: readonly ExternalWakeSession[];
  readonly workloads: WorkloadsSnapshot;
}

/** Gathers outlooks. Refuses with 503 on a key that cannot be decoded, but for those an answer can do without. */
export class Outlooks {
  readonly #ports: ApiPorts;
  readonly #snapshots: WorkloadsSnapshots;
  #last: { readonly snapshot: StateSnapshot; readonly second: number; readonly outlook: Outlook } | undefined;

  constructor(ports: ApiPorts) {
    this.#ports = ports;
    this.#snapshots = new WorkloadsSnapshots(ports.view);
  }

  get compiled(): CompiledConfig {
    return this.#ports.compiled();
  }

  workloads(snapshot: StateSnapshot): WorkloadsSnapshot {
    return this.#snapshots.workloads(this.compiled, need(snapshot, resourceStates));
  }

  /** The verdict now; before the license has been looked for, as if it could not be read. */
  license(snapshot: StateSnapshot): LicenseCheck {
    const { license, clock, logger } = this.#ports;
    const source = license.source() ?? { found: 'unreadable' as const, message: 'The license has not been read yet.' };
    const books = degrade(snapshot, licenseCheck, logger, 'warn');
    const now = clock.now();
    const { dryRun } = this.compiled.config.operations;
    return withControllers(checkLicense(source, license.authority, books, now), books, { now, dryRun });
  }

  schedule(snapshot: StateSnapshot): CompiledSchedule {
    return this.compiled.schedule(need(snapshot, scheduleOverrides));
  }

  /** Many ask in the same second; while nothing has changed they are told the same. */
  of(snapshot: StateSnapshot): Outlook {
    const last = this.#last;
    const second = Math.floor(this.#ports.clock.now() / 1000);
    const compiled = this.compiled;
    if (last?.snapshot === snapshot && last.second === second && last.outlook.compiled === compiled) {
      if (this.workloads(snapshot) === last.outlook.workloads) return last.outlook;
    }
    const outlook = this.#gather(snapshot, compiled);
    this.#last = { snapshot, second, outlook };
    return outlook;
  }

  /** For an answer that can do without one: undefined where a key that it stands on cannot be decoded. */
  ifDecodable(snapshot: StateSnapshot): Outlook | undefined {
    try {
      return this.of(snapshot);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  #gather(snapshot: StateSnapshot, compiled: CompiledConfig): Outlook {
    const { clock, logger } = this.#ports;
    const { records, deciding, transition } = statusState(snapshot, logger);
    const current = deciding.phase;
    const license = this.license(snapshot);
    const now = clock.now();
    const desired = desiredNow(deciding, compiled, license, now);
    const workloads = this.#snapshots.workloads(compiled, records);
    const state = clusterStateNow(transition, current, records);
    const since = isRetry(transition) ? current?.since : (transition?.startedAt ?? current?.since);
    return {
      now,
      compiled,
      schedule: this.schedule(snapshot),
      deciding,
      desired,
      license,
      stood: deciding.standDown,
      state,
      since,
      override: deciding.wakeOverride,
      transition,
      sessions: deciding.externalSessions,
      workloads,
    };
  }
}
