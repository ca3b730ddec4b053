import type { Static, TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import type { EndpointId } from './endpoints.ts';
import * as companions from './schemas/companions.ts';
import * as machines from './schemas/machines.ts';
import * as records from './schemas/records.ts';
import * as resources from './schemas/resources.ts';
import * as schedule from './schemas/schedule.ts';
import * as signIn from './schemas/sign-in.ts';
import * as status from './schemas/status.ts';

export interface Operation {
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  readonly answer: TSchema;
}

/** The schemas of every endpoint, by its name. */
export const operations = {
  requestOtp: { body: signIn.requestOtpBody, answer: signIn.requestOtpAnswer },
  verifyOtp: { body: signIn.verifyOtpBody, answer: signIn.session },
  openMagicLink: { body: signIn.magicLinkBody, answer: signIn.session },
  refreshSession: { body: signIn.refreshBody, bodyOptional: true, answer: signIn.session },
  logout: { body: signIn.logoutBody, bodyOptional: true, answer: signIn.loggedOut },
  me: { answer: signIn.me },
  passkeySignInOptions: {
    body: signIn.passkeySignInOptionsBody,
    bodyOptional: true,
    answer: signIn.webauthnOptions,
  },
  signInWithPasskey: { body: signIn.passkeySignInBody, answer: signIn.session },
  passkeys: { answer: signIn.passkeys },
  passkeyRegistrationOptions: { answer: signIn.webauthnOptions },
  registerPasskey: { body: signIn.registerPasskeyBody, answer: signIn.passkeyAdded },
  deletePasskey: { params: signIn.passkeyParams, answer: signIn.loggedOut },

  standDown: { body: status.standDownBody, bodyOptional: true, answer: status.standDownAnswer },
  endStandDown: { answer: status.standDownAnswer },

  hibernationStatus: { answer: status.hibernationStatus },
  publicHibernationStatus: { answer: status.publicHibernationStatus },
  dashboardStatus: { answer: status.dashboardStatus },
  dashboardCosts: { answer: records.costs },
  dashboardInsights: { answer: records.insights },
  wakeStatus: { answer: status.wakeStatus },
  events: { answer: Type.String() },

  triggerHibernation: { body: status.triggerBody, bodyOptional: true, answer: status.triggerAnswer },
  wakeUp: { body: status.wakeUpBody, bodyOptional: true, answer: status.wakeUpAnswer },
  resumeSchedule: { answer: schedule.resumed },

  schedule: { query: schedule.scheduleQuery, answer: schedule.schedule },
  scheduleOverrides: { answer: schedule.overrides },
  setScheduleOverride: {
    params: schedule.overrideParams,
    body: schedule.overrideBody,
    answer: schedule.overrideChanged,
  },
  removeScheduleOverride: { params: schedule.overrideParams, answer: schedule.overrideRemoved },

  calendarFeeds: { answer: schedule.calendarFeeds },
  makeCalendarFeed: { body: schedule.calendarFeedBody, bodyOptional: true, answer: schedule.calendarFeedMade },
  revokeCalendarFeed: { params: schedule.calendarFeedParams, answer: schedule.calendarFeedRevoked },
  calendar: { params: schedule.calendarParams, answer: Type.String() },

  resources: { query: resources.listQuery, answer: resources.resourcePage },
  ignoredResources: { query: resources.listQuery, answer: resources.ignoredPage },
  resourceStats: { answer: resources.resourceStats },
  namespaceResources: {
    params: resources.namespaceParams,
    query: resources.namespaceListQuery,
    answer: resources.resourcePage,
  },
  why: { params: resources.workloadParams, answer: resources.why },
  workload: { params: resources.workloadParams, answer: resources.workload },
  retryWorkload: { params: resources.workloadParams, answer: resources.retried },
  preview: { query: resources.previewQuery, answer: resources.preview },
  databases: { answer: companions.databases },
  satellites: { answer: companions.satellites },
  stateReport: { answer: resources.stateReport },

  audit: { query: records.auditQuery, answer: records.auditPage },
  settings: { answer: records.settings },
  license: { answer: records.license },
  insights: { answer: records.insights },
  fleet: { answer: records.fleet },
  costs: { answer: records.costs },
  notificationDeliveries: { answer: records.deliveries },
  testNotification: { body: records.notificationTestBody, answer: records.notificationTest },
  urlReadiness: { query: records.urlReadinessQuery, answer: records.urlReadiness },
  branding: { answer: records.branding },

  externalWake: { body: machines.externalWakeBody, bodyOptional: true, answer: machines.externalWakeAnswer },
  endExternalWake: { query: machines.externalWakeEndQuery, answer: machines.externalWakeEnded },
  externalWakeSessions: { answer: machines.wakeSessions },
  frames: { body: machines.frameBody, answer: machines.frameTaken },
  openapi: { answer: Type.Record(Type.String(), Type.Unknown()) },
} as const satisfies Readonly<Record<EndpointId, Operation>>;

type Operations = typeof operations;

type Part<Id extends EndpointId, Name extends string> = Operations[Id] extends {
  readonly [K in Name]: infer S extends TSchema;
}
  ? Static<S>
  : undefined;

export type ParamsOf<Id extends EndpointId> = Part<Id, 'params'>;
export type QueryOf<Id extends EndpointId> = Part<Id, 'query'>;
export type BodyOf<Id extends EndpointId> = Part<Id, 'body'>;
export type AnswerOf<Id extends EndpointId> = Static<Operations[Id]['answer']>;
