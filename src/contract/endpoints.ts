import type { ErrorCode } from './errors.ts';

/**
 * Who may call: `none` anybody; `signed-in` any user; `member` a user of a domain in `config.auth.allowedEmailDomains`, or
 * an admin; `admin` one of `config.auth.adminUsers`; `internal` our own controller, by the internal API secret; `signature`
 * another cluster, by its signed request. While no domain is listed anybody may sign in, and only admins are members.
 */
export type Auth = 'none' | 'signed-in' | 'member' | 'admin' | 'internal' | 'signature';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly auth: Auth;
  readonly tag: string;
  readonly summary: string;
  /** Beside those that every route may answer (`commonErrors`). */
  readonly errors: readonly ErrorCode[];
  /** The answer is no JSON, but this. */
  readonly media?: string;
  /** The answer is no JSON: a stream of events. */
  readonly stream?: true;
  /** Read by pages of other origins, as `config.dashboardApi.corsOrigins` allows. */
  readonly cors?: true;
}

const state = ['managed_state_unavailable'] as const;
const scaling = ['stood_down', 'unlicensed', 'managed_state_unavailable', 'state_conflict', 'state_full'] as const;
const listing = ['managed_state_unavailable', 'read_failed'] as const;
const signIn = ['smtp_disabled', 'domain_not_allowed', 'rate_limited'] as const;
const passkeys = ['feature_disabled', 'passkey_refused', 'rate_limited', 'domain_not_allowed'] as const;

/** Every route of the API. Each has its schemas in `operations` under the same name. */
export const endpoints = {
  // Sign-in
  requestOtp: post('/auth/request-otp', 'none', 'Sign-in', 'Ask for a one-time code by mail.', signIn),
  verifyOtp: post('/auth/verify-otp', 'none', 'Sign-in', 'Exchange the code for an access token.', [
    'invalid_code',
    'too_many_attempts',
    ...signIn,
  ]),
  openMagicLink: post('/auth/magic-link', 'none', 'Sign-in', 'Exchange the token of a mailed link.', [
    'invalid_link',
    ...signIn,
  ]),
  refreshSession: post('/auth/refresh', 'none', 'Sign-in', 'Get a new access token.', [
    'unauthenticated',
    'domain_not_allowed',
    'rate_limited',
    'managed_state_unavailable',
  ]),
  logout: post('/auth/logout', 'none', 'Sign-in', 'End the session.', []),
  me: get('/auth/me', 'signed-in', 'Sign-in', 'Who is signed in.', []),
  passkeySignInOptions: post('/auth/passkey/options', 'none', 'Sign-in', 'A challenge for a passkey.', [
    ...passkeys,
    'smtp_disabled',
  ]),
  signInWithPasskey: post('/auth/passkey/verify', 'none', 'Sign-in', 'Sign in with a passkey.', [
    ...passkeys,
    'smtp_disabled',
    'state_conflict',
    'state_full',
    ...state,
  ]),
  passkeys: get('/passkeys', 'signed-in', 'Sign-in', 'The passkeys of who is signed in.', state),
  passkeyRegistrationOptions: post(
    '/passkeys/registration/options',
    'signed-in',
    'Sign-in',
    'A challenge to add a passkey.',
    ['feature_disabled', ...state],
  ),
  registerPasskey: post('/passkeys/registration/verify', 'signed-in', 'Sign-in', 'Add a passkey.', [
    'feature_disabled',
    'passkey_refused',
    'state_conflict',
    'state_full',
    ...state,
  ]),
  deletePasskey: remove('/passkeys/{id}', 'signed-in', 'Sign-in', 'Remove a passkey.', [
    'not_found',
    'state_conflict',
    ...state,
  ]),

  // Stand-down
  standDown: post('/stand-down', 'admin', 'Stand-down', 'Stand the service down.', [
    'already_stood_down',
    'reason_contains_url',
    'reason_too_long',
    'state_conflict',
    'state_full',
    ...state,
  ]),
  endStandDown: remove('/stand-down', 'admin', 'Stand-down', "End the admin's stand-down.", [
    'stand_down_by_configuration',
    'not_stood_down',
    'state_conflict',
    'state_full',
    ...state,
  ]),

  // Status
  hibernationStatus: get('/hibernation/status', 'signed-in', 'Status', 'Whether the cluster sleeps, and why.', state),
  publicHibernationStatus: get('/public/hibernation-status', 'none', 'Status', 'The status for visitors.', state),
  dashboardStatus: dashboard('/public/dashboard-status', 'The status for dashboards.', ['feature_disabled', ...state]),
  dashboardCosts: dashboard('/public/dashboard-costs', 'Costs for dashboards.', ['feature_disabled']),
  dashboardInsights: dashboard('/public/dashboard-insights', 'Savings for dashboards.', ['feature_disabled']),
  wakeStatus: get('/wake/status', 'admin', 'Status', 'The running wake.', state),
  events: { ...get('/events', 'signed-in', 'Status', 'The stream of events.', ['rate_limited']), stream: true },

  // Acts
  triggerHibernation: post('/hibernation/trigger', 'admin', 'Acts', 'Trigger Manual Hibernation.', scaling),
  wakeUp: post('/wake/up', 'admin', 'Acts', 'Wake Up Resources, or keep them awake.', scaling),
  resumeSchedule: post('/schedule/resume', 'admin', 'Acts', 'Resume Schedule.', scaling),

  // Schedule
  schedule: get('/schedule', 'member', 'Schedule', 'The plan of the coming days.', state),
  scheduleOverrides: get('/schedule/overrides', 'member', 'Schedule', 'Other hours on some dates.', state),
  setScheduleOverride: put('/schedule/overrides/{date}', 'admin', 'Schedule', 'Set other hours for a date.', [
    'state_conflict',
    'state_full',
    'reason_contains_url',
    'reason_too_long',
    ...state,
  ]),
  removeScheduleOverride: remove('/schedule/overrides/{date}', 'admin', 'Schedule', "Return to the week's hours.", [
    'not_found',
    'state_conflict',
    'state_full',
    ...state,
  ]),

  calendarFeeds: get(
    '/schedule/feeds',
    'member',
    'Schedule',
    "One's own addresses of the calendar; for an admin everybody's.",
    state,
  ),
  makeCalendarFeed: post('/schedule/feeds', 'member', 'Schedule', 'Make an address for a calendar program.', [
    'state_conflict',
    'state_full',
    ...state,
  ]),
  revokeCalendarFeed: remove('/schedule/feeds/{id}', 'member', 'Schedule', 'Revoke an address of the calendar.', [
    'not_found',
    'state_conflict',
    'state_full',
    ...state,
  ]),
  calendar: {
    ...get('/calendar/{token}/hibernation.ics', 'none', 'Schedule', 'The schedule as iCalendar (RFC 5545).', [
      'not_found',
      ...state,
    ]),
    media: 'text/calendar',
  },

  // Resources
  resources: get('/resources', 'admin', 'Resources', 'Managed workloads.', listing),
  ignoredResources: get('/resources/ignored', 'admin', 'Resources', 'What is left alone, and why.', listing),
  resourceStats: get('/resources/stats', 'admin', 'Resources', 'Counts.', listing),
  namespaceResources: get('/resources/{namespace}', 'admin', 'Resources', 'Workloads of one namespace.', listing),
  why: get('/resources/{namespace}/{kind}/{name}/why', 'admin', 'Resources', 'Why a workload is up or down.', [
    'not_found',
    ...listing,
  ]),
  workload: get(
    '/resources/{namespace}/{kind}/{name}',
    'admin',
    'Resources',
    'One workload: its state and why, its pods, events and past wakes.',
    ['not_found', ...listing],
  ),
  retryWorkload: post('/resources/{namespace}/{kind}/{name}/wake', 'admin', 'Acts', 'Wake one workload again.', [
    'not_found',
    'nothing_to_wake',
    'read_failed',
    ...scaling,
  ]),
  preview: get('/preview', 'admin', 'Resources', 'What the next hibernation would touch.', listing),
  databases: get('/databases', 'admin', 'Resources', 'Managed databases, and what is known of each.', state),
  satellites: get('/satellites', 'admin', 'Resources', 'Which services a satellite stands in for.', state),
  stateReport: get('/state/report', 'admin', 'Resources', 'Whether the records agree with the cluster.', state),

  // Records and settings
  audit: get('/audit', 'admin', 'Records', 'What was done, by whom.', ['read_failed']),
  settings: get('/settings', 'admin', 'Records', 'The configuration in force.', []),
  license: get('/license', 'admin', 'Records', 'The license and its verdict.', state),
  insights: get('/insights', 'member', 'Records', 'What hibernation saves.', []),
  fleet: get(
    '/insights/fleet',
    'member',
    'Records',
    'Which share of the fleet sleeps, and what the coming week would save.',
    listing,
  ),
  costs: get('/costs', 'member', 'Records', 'What the cluster costs.', []),
  notificationDeliveries: get(
    '/notifications/deliveries',
    'admin',
    'Records',
    'What was sent, and whether it arrived.',
    [],
  ),
  testNotification: post('/notifications/test', 'admin', 'Records', 'Send a test message.', ['feature_disabled']),
  urlReadiness: get('/url-readiness', 'member', 'Records', 'Whether a URL answers.', [
    'feature_disabled',
    'rate_limited',
  ]),
  branding: get(
    '/branding',
    'none',
    'Records',
    'Name, logo and color, and whether passkeys are on: what the sign-in page shows.',
    [],
  ),

  // Machines
  externalWake: post('/external-wake', 'signature', 'Machines', 'Another cluster wakes this one.', [
    'feature_disabled',
    'quota_exceeded',
    'state_conflict',
    'state_full',
    ...state,
  ]),
  endExternalWake: remove('/external-wake', 'signature', 'Machines', 'Another cluster needs this one no longer.', [
    'feature_disabled',
    'state_conflict',
    'state_full',
    ...state,
  ]),
  externalWakeSessions: get(
    '/external-wake/sessions',
    'admin',
    'Machines',
    'Which clusters keep this one awake.',
    state,
  ),
  frames: post('/internal/frames', 'internal', 'Machines', 'Progress from the controller.', []),
  openapi: get('/openapi.json', 'none', 'Machines', 'This document.', []),
} as const satisfies Readonly<Record<string, Endpoint>>;

export type EndpointId = keyof typeof endpoints;

export const endpointIds = Object.keys(endpoints) as readonly EndpointId[];

/** While the state cannot say which sign-ins have ended, nobody is let in or turned away. */
const ofAuth: Readonly<Record<Auth, readonly ErrorCode[]>> = {
  none: [],
  'signed-in': ['unauthenticated', 'managed_state_unavailable'],
  member: ['unauthenticated', 'forbidden', 'managed_state_unavailable'],
  admin: ['unauthenticated', 'forbidden', 'managed_state_unavailable'],
  internal: ['unauthenticated', 'forbidden'],
  signature: ['signature_invalid'],
};

/** Everything a route may answer beside its success. */
export function errorsOf({ auth, method, errors }: Endpoint): readonly ErrorCode[] {
  const common: ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error', 'api_unavailable', 'overloaded'];
  if (method !== 'GET') common.push('payload_too_large', 'unsupported_media_type', 'cross_site_request');
  return [...new Set([...common, ...ofAuth[auth], ...errors])];
}

type Errors = readonly ErrorCode[];

// biome-ignore lint/complexity/useMaxParams: a row of the table of endpoints, in the order of its columns.
function get<const P extends string, const A extends Auth>(
  path: P,
  auth: A,
  tag: string,
  summary: string,
  errors: Errors,
) {
  return { method: 'GET', path: `/api/v1${path}`, auth, tag, summary, errors } as const;
}

// biome-ignore lint/complexity/useMaxParams: a row of the table of endpoints, in the order of its columns.
function post<const P extends string, const A extends Auth>(
  path: P,
  auth: A,
  tag: string,
  summary: string,
  errors: Errors,
) {
  return { method: 'POST', path: `/api/v1${path}`, auth, tag, summary, errors } as const;
}

// biome-ignore lint/complexity/useMaxParams: a row of the table of endpoints, in the order of its columns.
function put<const P extends string, const A extends Auth>(
  path: P,
  auth: A,
  tag: string,
  summary: string,
  errors: Errors,
) {
  return { method: 'PUT', path: `/api/v1${path}`, auth, tag, summary, errors } as const;
}

// biome-ignore lint/complexity/useMaxParams: a row of the table of endpoints, in the order of its columns.
function remove<const P extends string, const A extends Auth>(
  path: P,
  auth: A,
  tag: string,
  summary: string,
  errors: Errors,
) {
  return { method: 'DELETE', path: `/api/v1${path}`, auth, tag, summary, errors } as const;
}

function dashboard(path: string, summary: string, errors: Errors) {
  return { ...get(path, 'none', 'Status', summary, errors), cors: true } as const;
}
