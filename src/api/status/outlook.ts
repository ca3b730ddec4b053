import { type DesiredState, desiredState } from '../../domain/desired/desired-state.ts';
import { checkLicense, type LicenseCheck } from '../../domain/license/check.ts';
import type { CompiledSchedule } from '../../domain/schedule/compile.ts';
import { isStoodDown, type StandDownState, standDownSummary } from '../../domain/standdown/state.ts';
import { type ExternalWakeSession, externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { licenseCheck } from '../../state/license-check.ts';
import { type ManualHibernation, manualHibernation } from '../../state/manual-hibernation.ts';
import { type Phase, phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { scheduleOverrides } from '../../state/schedule-overrides.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { type Transition, transitionEnvelope } from '../../state/transition.ts';
import { type WakeOverride, wakeOverride } from '../../state/wake-override.ts';
import type { CompiledConfig } from '../compiled-config.ts';
import type { ApiPorts } from '../ports.ts';
import { type Scene, Scenery } from '../resources/scene.ts';
import { degrade, need } from '../state/managed-state.ts';

type ClusterState = 'awake' | 'hibernated' | 'waking' | 'hibernating';

/** Everything that one answer about the cluster stands on, decoded and decided. */
export interface Outlook {
  readonly now: number;
  readonly compiled: CompiledConfig;
  readonly schedule: CompiledSchedule;
  readonly desired: DesiredState;
  readonly license: LicenseCheck;
  readonly stood: StandDownState;
  readonly state: ClusterState;
  readonly since: number | undefined;
  readonly override: WakeOverride | null;
  readonly manual: ManualHibernation | null;
  readonly transition: Transition<unknown> | null;
  readonly sessions: readonly ExternalWakeSession[];
  readonly scene: Scene;
}

/** Gathers outlooks. Refuses with 503 on a key that cannot be decoded, but for those an answer can do without. */
export class Outlooks {
  readonly #ports: ApiPorts;
  readonly #compiled: () => CompiledConfig;
  readonly #scenery: Scenery;
  #last: { readonly snapshot: StateSnapshot; readonly second: number; readonly outlook: Outlook } | undefined;

  constructor(ports: ApiPorts, compiled: () => CompiledConfig) {
    this.#ports = ports;
    this.#compiled = compiled;
    this.#scenery = new Scenery(ports.view);
  }

  get compiled(): CompiledConfig {
    return this.#compiled();
  }

  scene(snapshot: StateSnapshot): Scene {
    return this.#scenery.scene(this.#compiled(), need(snapshot, resourceStates));
  }

  /** The verdict now; before the license has been looked for, as if it could not be read. */
  license(snapshot: StateSnapshot): LicenseCheck {
    const { license, clock, logger } = this.#ports;
    const source = license.source() ?? { found: 'unreadable' as const, message: 'The license has not been read yet.' };
    return checkLicense(source, license.authority, degrade(snapshot, licenseCheck, logger, 'warn'), clock.now());
  }

  schedule(snapshot: StateSnapshot): CompiledSchedule {
    return this.#compiled().schedule(need(snapshot, scheduleOverrides), this.#ports.holidays());
  }

  /** Many ask in the same second; while nothing has changed they are told the same. */
  of(snapshot: StateSnapshot): Outlook {
    const last = this.#last;
    const second = Math.floor(this.#ports.clock.now() / 1000);
    const compiled = this.#compiled();
    if (last?.snapshot === snapshot && last.second === second && last.outlook.compiled === compiled) {
      if (this.scene(snapshot) === last.outlook.scene) return last.outlook;
    }
    const outlook = this.#gather(snapshot, compiled);
    this.#last = { snapshot, second, outlook };
    return outlook;
  }

  #gather(snapshot: StateSnapshot, compiled: CompiledConfig): Outlook {
    const { clock, logger } = this.#ports;
    // The two keys that the status screens name come first, so that they are the ones named when several are spoilt.
    const records = need(snapshot, resourceStates);
    const override = need(snapshot, wakeOverride);
    const stood = need(snapshot, standDown);
    const manual = need(snapshot, manualHibernation);
    const transition = need(snapshot, transitionEnvelope);
    const current = need(snapshot, phase);
    const sessions = degrade(snapshot, externalWakeSessions, logger, 'debug');
    const schedule = this.schedule(snapshot);
    const license = this.license(snapshot);
    const now = clock.now();
    const summary = standDownSummary(stood);
    const nothingDown = records.length === 0 && transition === null && current?.phase !== 'hibernated';
    const desired = desiredState({
      now,
      schedule,
      dryRun: compiled.config.operations.dryRun,
      license,
      handbackDone: isStoodDown(stood) ? stood.handbackDone : nothingDown,
      externalSessions: sessions,
      ...(summary === null ? {} : { standDown: summary }),
      ...(override === null ? {} : { wakeOverride: override }),
      ...(manual === null ? {} : { manualHibernation: manual }),
      ...(stood.ended === undefined ? {} : { stopEndedAt: stood.ended.at }),
    });
    const scene = this.#scenery.scene(compiled, records);
    const state = stateOf(transition, current, records.length > 0);
    const since = transition?.startedAt ?? current?.since;
    return {
      now,
      compiled,
      schedule,
      desired,
      license,
      stood,
      state,
      since,
      override,
      manual,
      transition,
      sessions,
      scene,
    };
  }
}

/** Records without a phase are of a hibernation whose end nobody has noted. */
function stateOf(transition: Transition<unknown> | null, current: Phase | null, hasRecords: boolean): ClusterState {
  if (transition !== null) return transition.kind === 'wake' ? 'waking' : 'hibernating';
  return current?.phase === 'hibernated' || (current === null && hasRecords) ? 'hibernated' : 'awake';
}
