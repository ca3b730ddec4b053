import type { ScheduleReasonCode } from '../schedule/schedule.ts';

export type ReasonCode =
  | ScheduleReasonCode
  | 'wake_override'
  | 'manual_hibernation'
  | 'external_wake'
  | 'stand_down'
  | 'license'
  | 'license_not_checked'
  | 'state_undecodable';

/** Why the cluster should be what it should be; `text` answers a person who asks. */
export interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
  /** The person, cluster or `configuration` behind it. */
  readonly actor?: string;
}
