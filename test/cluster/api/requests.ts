import type { RequestParts } from '../../../src/contract/client.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';

export interface Request {
  readonly id: EndpointId;
  readonly parts?: RequestParts;
  /** What it answers while everything is well; 200 unless said. */
  readonly whole?: Refused;
  /** Nobody has to sign in: what went wrong inside is not for them. */
  readonly open?: true;
}

/** Status, code and message. */
export type Refused = readonly [number, string, string];

/** Stands for the namespace of the workload, which has another name each time. */
export const team = 'team-of-the-api';
const date = '2099-12-24';

/** Everything that reads the cluster, by the name that the rows use. */
const reads = {
  status: { id: 'hibernationStatus' },
  'public status': { id: 'publicHibernationStatus', open: true },
  'dashboard status': { id: 'dashboardStatus', open: true },
  'dashboard insights': { id: 'dashboardInsights' },
  'wake status': { id: 'wakeStatus' },
  schedule: { id: 'schedule' },
  'schedule overrides': { id: 'scheduleOverrides' },
  resources: { id: 'resources' },
  'resources of a namespace': { id: 'namespaceResources', parts: { params: { namespace: team } } },
  'ignored resources': { id: 'ignoredResources' },
  'resource stats': { id: 'resourceStats' },
  why: { id: 'why', parts: { params: { namespace: team, kind: 'Deployment', name: 'cart' } } },
  workload: { id: 'workload', parts: { params: { namespace: team, kind: 'Deployment', name: 'cart' } } },
  fleet: { id: 'fleet' },
  preview: { id: 'preview' },
  'state report': { id: 'stateReport' },
  audit: { id: 'audit' },
  license: { id: 'license' },
  insights: { id: 'insights' },
  'external wake sessions': { id: 'externalWakeSessions' },
  passkeys: { id: 'passkeys' },
  'passkey options': { id: 'passkeyRegistrationOptions' },
} as const satisfies Readonly<Record<string, Request>>;

/** Everything that writes to it. */
const acts = {
  'stand down': { id: 'standDown', parts: { body: { reason: 'release' } } },
  'end the stand-down': { id: 'endStandDown', whole: [409, 'not_stood_down', 'The service is not stood down.'] },
  'trigger hibernation': { id: 'triggerHibernation' },
  'wake up': { id: 'wakeUp' },
  'wake a workload again': {
    id: 'retryWorkload',
    parts: { params: { namespace: team, kind: 'Deployment', name: 'cart' } },
    whole: [409, 'nothing_to_wake', 'Its owner has it at 0 replicas.'],
  },
  'resume the schedule': { id: 'resumeSchedule' },
  'set an override': { id: 'setScheduleOverride', parts: { params: { date }, body: { hours: 'off' } } },
  'remove an override': {
    id: 'removeScheduleOverride',
    parts: { params: { date } },
    whole: [404, 'not_found', `There is no override for ${date}.`],
  },
  'external wake': { id: 'externalWake' },
  'external wake of named resources': { id: 'externalWake', parts: { body: { resources: [{ namespace: team }] } } },
  'end the external wake': { id: 'endExternalWake' },
  'delete a passkey': {
    id: 'deletePasskey',
    parts: { params: { id: 'none' } },
    whole: [404, 'not_found', 'You have no such passkey.'],
  },
} as const satisfies Readonly<Record<string, Request>>;

export type ReadName = keyof typeof reads;
export type ActName = keyof typeof acts;
export type RequestName = ReadName | ActName;

/** What a request answers while everything is well. */
export const fine = (name: RequestName): Refused | 200 => requests[name].whole ?? 200;

export const requests: Readonly<Record<RequestName, Request>> = { ...reads, ...acts };
export const readNames = Object.keys(reads) as readonly ReadName[];
export const actNames = Object.keys(acts) as readonly ActName[];
