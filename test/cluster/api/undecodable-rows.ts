import { type RequestName, requests } from './requests.ts';

const statuses = ['status', 'public status', 'dashboard status', 'wake status'] as const;
const listings = ['resources', 'resources of a namespace', 'ignored resources', 'resource stats'] as const;
/** Stand on everything that decides what a workload should be. */
const explanations = ['why', 'workload', 'fleet', 'preview', 'wake a workload again'] as const;
const scaling = ['trigger hibernation', 'wake up', 'resume the schedule'] as const;
const externalWakes = ['external wake', 'external wake of named resources'] as const;

const screens = [...statuses, ...listings, ...explanations, ...scaling, ...externalWakes];

/** For each key of `svc-state`: who refuses while its value cannot be decoded. Everybody else answers as ever. */
export const refusing: Readonly<Record<string, readonly RequestName[]>> = {
  resource_states: screens,
  wake_override: screens,
  ignored_resources: ['ignored resources', 'external wake of named resources'],
  external_wake_sessions: [...externalWakes, 'end the external wake'],
  database_states: [],
  stand_down: [...statuses, ...explanations, ...scaling, 'stand down', 'end the stand-down'],
  manual_hibernation: [...statuses, ...explanations, ...scaling],
  transition: [...statuses, ...explanations, 'wake up'],
  schedule_overrides: [
    ...statuses,
    ...explanations,
    'schedule',
    'schedule overrides',
    'resume the schedule',
    'set an override',
    'remove an override',
  ],
  phase: [...statuses, ...explanations, 'wake up'],
  // Moved aside by the next act.
  outbox: [],
  satellites: [],
  autoscaler_protection: [],
  license_check: [],
  parameter_size: [],
  epoch: [],
  ended_sessions: [],
  external_wake_starts: [],
  calendar_feeds: [],
  // Read only when there is something to wake.
  wake_retries: [],
};

/** Every way in which the state can be unreadable: 500 on the listings, 503 on all others that need it. */
export function unreadable(name: RequestName, why: string): readonly [number, string, string] | undefined {
  const listing = [...listings, ...explanations].some((one) => one === name);
  if (listing) return [500, 'read_failed', `The resources could not be read: ${why}`];
  if (['dashboard insights', 'insights', 'audit'].includes(name) || name.includes('passkey')) return undefined;
  const told = requests[name].open === true ? '.' : `: ${why}`;
  return [503, 'managed_state_unavailable', `The managed state could not be read${told}`];
}
