import { pathOf, type RequestParts } from '../../../src/contract/client.ts';
import { type EndpointId, endpointIds, endpoints } from '../../../src/contract/endpoints.ts';
import { admin, type RecordedDemo } from './recorded-demo.ts';
import { shownAnswer } from './shown-answer.ts';

export interface ApiExample {
  readonly id: EndpointId;
  readonly request: string;
  readonly status: number;
  readonly answer: string;
}

interface Step {
  readonly id: EndpointId;
  readonly parts?: RequestParts;
  /** How long the demo runs on before the request. */
  readonly after?: number;
}

const read = (id: EndpointId, parts: RequestParts = {}): Step => ({ id, parts });
const cart = { params: { namespace: 'shop', kind: 'deployment', name: 'cart' } };
const date = { params: { date: '2026-01-16' } };

/** A Wednesday evening of the demo, in the order of its acts. Every endpoint has its line, or is in `notAsked`. */
const evening: readonly Step[] = [
  read('hibernationStatus'),
  read('publicHibernationStatus'),
  read('dashboardStatus'),
  read('dashboardCosts'),
  read('dashboardInsights'),
  read('me'),
  read('passkeys'),
  read('passkeySignInOptions', { body: {} }),
  read('schedule', { query: { days: 2 } }),
  { id: 'setScheduleOverride', parts: { ...date, body: { hours: '08:00-22:00', reason: 'release' } } },
  read('scheduleOverrides'),
  { id: 'removeScheduleOverride', parts: date },
  { id: 'makeCalendarFeed', parts: { body: { name: 'my calendar' } } },
  read('calendarFeeds'),
  read('preview', { query: { limit: 1 } }),
  read('resourceStats'),
  read('ignoredResources', { query: { limit: 1 } }),
  read('stateReport'),
  read('databases'),
  read('settings'),
  read('license'),
  read('insights'),
  read('fleet'),
  read('costs'),
  read('branding'),
  read('urlReadiness', { query: { url: 'https://shop.example.com/' } }),
  read('externalWakeSessions'),
  { id: 'triggerHibernation' },
  { id: 'satellites', after: 600 },
  read('resources', { query: { namespace: 'shop', state: 'hibernated', limit: 1 } }),
  read('namespaceResources', { params: { namespace: 'payments' }, query: { limit: 1 } }),
  read('why', cart),
  read('workload', cart),
  { id: 'wakeUp', parts: { body: { duration: '3h' } } },
  { id: 'wakeStatus', after: 60 },
  { id: 'audit', parts: { query: { limit: 1 } }, after: 1800 },
  { id: 'resumeSchedule', after: 5 },
  { id: 'standDown', after: 5, parts: { body: { reason: 'incident in payments' } } },
  { id: 'endStandDown', after: 120 },
  read('notificationDeliveries'),
  { id: 'testNotification', parts: { body: { channel: 'email', destination: 'ops@example.com' } } },
  { id: 'logout', parts: { body: {} } },
];

/** What a demo cannot show, with where it is shown instead. */
export const notAsked: Readonly<Partial<Record<EndpointId, string>>> = {
  openMagicLink: 'The token is the part after `#` of the link in the mail. The answer is that of `verify-otp`.',
  refreshSession:
    'The refresh token is a cookie in a browser, or in the body for programs. The answer is that of `verify-otp`.',
  signInWithPasskey: 'The body is what the browser made of the challenge. The answer is that of `verify-otp`.',
  passkeyRegistrationOptions:
    'The answer is that of `passkey/options`, made for `navigator.credentials.create`: which algorithms it offers depends on Node.',
  registerPasskey: 'The body is what the browser made of the challenge.',
  deletePasskey: 'The passkey is gone; the emailed code still works.',
  revokeCalendarFeed: 'The address opens nothing from then on.',
  calendar: 'Text of iCalendar (RFC 5545): see [schedules](../schedules.md#the-schedule-in-a-calendar-program).',
  retryWorkload: 'The answer names the workload; `409 nothing_to_wake` where there is nothing to do.',
  events: 'See [events.md](events.md).',
  externalWake: 'Signed by a cluster: see [external wake](../external-wake.md).',
  endExternalWake: 'Signed by a cluster: see [external wake](../external-wake.md).',
  frames: 'For the controller alone, with `secrets.internalApiSecret`.',
  openapi: 'The document that this page is made of.',
};

/** Every endpoint that can be asked, asked once; in the order of the contract. */
export async function apiExamples(demo: RecordedDemo): Promise<readonly ApiExample[]> {
  const taken: ApiExample[] = [];
  const signIn = async (id: EndpointId, body: object, shownBody: object) => {
    const { status, body: answer } = await demo.ask(id, { body });
    taken.push({ id, request: requestText({ id, parts: { body: shownBody } }), status, answer: shownAnswer(answer) });
  };
  await signIn('requestOtp', { email: admin }, { email: admin });
  const code = { email: admin, refresh: 'body' };
  await signIn('verifyOtp', { ...code, otp: demo.lastCode() }, { ...code, otp: '<code>' });
  await demo.signIn();
  for (const step of evening) {
    if (step.after !== undefined) await demo.pass(step.after);
    const { status, body } = await demo.ask(step.id, step.parts);
    taken.push({ id: step.id, request: requestText(step), status, answer: shownAnswer(body) });
  }
  const missing = endpointIds.filter((id) => notAsked[id] === undefined && !taken.some((example) => example.id === id));
  if (missing.length > 0) throw new Error(`No example asks ${missing.join(', ')}: add a step to the evening.`);
  return endpointIds.flatMap((id) => taken.filter((example) => example.id === id));
}

function requestText({ id, parts = {} }: Step): string {
  const { method, auth } = endpoints[id];
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"$SVC${pathOf(id, parts)}"`];
  if (auth !== 'none') lines.push(`  -H "Authorization: Bearer $TOKEN"`);
  if (parts.body !== undefined) {
    lines.push(`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(parts.body)}'`);
  }
  return lines.join(' \\\n');
}
