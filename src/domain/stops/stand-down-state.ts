import type { EpochMs } from '../workload.ts';
import { configurationActor } from './actor-names.ts';

export type StandDownSource = 'admin' | 'configuration';

export interface AdminStandDown {
  /** As the privacy settings show the address. */
  readonly actor: string;
  readonly at: EpochMs;
  readonly reason?: string;
}

/** One source began or ended. Kept in the state until the controller has told the world about it. */
export interface StandDownChange {
  readonly id: string;
  readonly act: 'stood-down' | 'ended';
  readonly source: StandDownSource;
  readonly actor: string;
  readonly at: EpochMs;
  readonly reason?: string;
}

export interface StandDownState {
  readonly admin?: AdminStandDown;
  /** Present once the controller has seen `config.global.enabled: false`. */
  readonly configuration?: { readonly at: EpochMs };
  /** Means something only while a source holds. */
  readonly handbackDone: boolean;
  /** Who ended the last source: the hibernation that follows names them. Cleared once that is settled. */
  readonly ended?: { readonly actor: string; readonly at: EpochMs };
  readonly unannounced: readonly StandDownChange[];
}

export const notStoodDown: StandDownState = { handbackDone: false, unannounced: [] };

export function isStoodDown(state: StandDownState): boolean {
  return state.admin !== undefined || state.configuration !== undefined;
}

/** `standDown` as the API, the stream and the status carry it. */
export interface StandDownSummary {
  readonly source: StandDownSource;
  readonly actor: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly reason?: string;
  readonly configuration: boolean;
  readonly handbackDone: boolean;
}

export function standDownSummary(state: StandDownState): StandDownSummary | null {
  const { admin, configuration, handbackDone } = state;
  if (admin !== undefined) {
    return {
      source: 'admin',
      actor: admin.actor,
      at: new Date(admin.at).toISOString(),
      ...(admin.reason === undefined ? {} : { reason: admin.reason }),
      configuration: configuration !== undefined,
      handbackDone,
    };
  }
  if (configuration === undefined) return null;
  const at = new Date(configuration.at).toISOString();
  return { source: 'configuration', actor: configurationActor, at, configuration: true, handbackDone };
}
