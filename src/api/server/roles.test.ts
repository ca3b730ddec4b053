import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, internalSecret, userAddress } from '../../../test/support/api-world.ts';
import { type Auth, type EndpointId, endpointIds, endpoints } from '../../contract/endpoints.ts';

type Role = 'nobody' | 'stranger' | 'colleague' | 'admin' | 'controller' | 'expired' | 'refresh token';

/** 401 and 403 are refusals of the guard; `in` is everything that a route answers to who was let in. */
const expected: Readonly<Record<Auth, Readonly<Record<Role, number | 'in'>>>> = {
  none: everybody('in'),
  'signed-in': { ...everybody(401), stranger: 'in', colleague: 'in', admin: 'in' },
  member: { ...everybody(401), stranger: 403, colleague: 'in', admin: 'in' },
  admin: { ...everybody(401), stranger: 403, colleague: 403, admin: 'in' },
  internal: { ...everybody(401), controller: 'in' },
  signature: everybody(401),
};

function everybody<T>(gets: T): Readonly<Record<Role, T>> {
  return {
    nobody: gets,
    stranger: gets,
    colleague: gets,
    admin: gets,
    controller: gets,
    expired: gets,
    'refresh token': gets,
  };
}

/** What the specification and the table of routes say, written down a second time: a new route needs a row. */
const routes: Readonly<Record<EndpointId, Auth>> = {
  requestOtp: 'none',
  verifyOtp: 'none',
  openMagicLink: 'none',
  refreshSession: 'none',
  logout: 'none',
  me: 'signed-in',
  passkeySignInOptions: 'none',
  signInWithPasskey: 'none',
  passkeys: 'signed-in',
  passkeyRegistrationOptions: 'signed-in',
  registerPasskey: 'signed-in',
  deletePasskey: 'signed-in',
  standDown: 'admin',
  endStandDown: 'admin',
  hibernationStatus: 'signed-in',
  publicHibernationStatus: 'none',
  dashboardStatus: 'none',
  dashboardCosts: 'none',
  dashboardInsights: 'none',
  wakeStatus: 'admin',
  events: 'signed-in',
  triggerHibernation: 'admin',
  wakeUp: 'admin',
  resumeSchedule: 'admin',
  schedule: 'member',
  scheduleOverrides: 'member',
  setScheduleOverride: 'admin',
  removeScheduleOverride: 'admin',
  calendarFeeds: 'member',
  makeCalendarFeed: 'member',
  revokeCalendarFeed: 'member',
  calendar: 'none',
  resources: 'admin',
  ignoredResources: 'admin',
  resourceStats: 'admin',
  namespaceResources: 'admin',
  why: 'admin',
  workload: 'admin',
  retryWorkload: 'admin',
  preview: 'admin',
  databases: 'admin',
  satellites: 'admin',
  stateReport: 'admin',
  audit: 'admin',
  settings: 'admin',
  license: 'admin',
  insights: 'member',
  fleet: 'member',
  costs: 'member',
  notificationDeliveries: 'admin',
  testNotification: 'admin',
  urlReadiness: 'member',
  branding: 'none',
  externalWake: 'signature',
  endExternalWake: 'signature',
  externalWakeSessions: 'admin',
  frames: 'internal',
  openapi: 'none',
};

const params = { namespace: 'shop', kind: 'Deployment', name: 'cart', date: '2026-01-06', id: 'x', token: 'x' };

/** Who is signed in is a colleague where the domains of the company are listed; while none is, anybody may sign in. */
const companies: Readonly<Record<'stranger' | 'colleague', readonly string[]>> = {
  stranger: [],
  colleague: ['example.com'],
};

describe.each(['stranger', 'colleague'] as const)('every route and every role, who is signed in being a %s', (user) => {
  let world: ApiWorld;
  const tokens: Partial<Record<Role, string>> = {};
  let spare: string;

  beforeAll(async () => {
    world = await ApiWorld.start({ config: { auth: { tokenExpiry: '30m', allowedEmailDomains: companies[user] } } });
    tokens.expired = await world.token('old@example.com');
    await world.clock.advance(31 * 60_000);
    tokens[user] = await world.token(userAddress);
    tokens.admin = await world.token(adminAddress);
    const { refreshToken } = await world.signIn(adminAddress);
    tokens['refresh token'] = refreshToken!;
    tokens.controller = internalSecret;
    spare = await world.token('spare@example.com');
  });
  afterAll(() => world.stop());

  it('is in the table', () => {
    expect(Object.keys(routes).toSorted()).toEqual([...endpointIds].toSorted());
    for (const id of endpointIds) expect([id, endpoints[id].auth]).toEqual([id, routes[id]]);
  });

  it('has a handler on its own path', () => {
    for (const id of endpointIds) {
      const { method, path } = endpoints[id];
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      expect([id, world.running.api.server.app.hasRoute({ method, url })]).toEqual([id, true]);
    }
  });

  for (const id of endpointIds) {
    for (const role of ['nobody', user, 'admin', 'controller', 'expired', 'refresh token'] as const) {
      const wanted = expected[routes[id]][role];
      it(`${id} as ${role}: ${wanted}`, async () => {
        if (id === 'events' && wanted === 'in') return;
        // A logout ends the session of the token it comes with.
        const token = id === 'logout' && role !== 'nobody' ? spare : tokens[role];
        const answer = await world.call(id, { params }, token);
        const refused = answer.statusCode === 401 || answer.statusCode === 403;
        if (wanted === 'in') {
          const byGuard = refused && ['unauthenticated', 'forbidden'].includes(answer.json().code);
          // A refresh without a token is told to sign in by the route itself.
          expect([id, byGuard && id !== 'refreshSession']).toEqual([id, false]);
        } else expect([id, answer.statusCode]).toEqual([id, wanted]);
      });
    }
  }
});

describe('the internal secret', () => {
  const frame = { body: { kind: 'plan', payload: {} } };
  let world: ApiWorld;
  beforeAll(async () => {
    world = await ApiWorld.start();
  });
  afterAll(() => world.stop());

  it('lets the controller in', async () => {
    const answer = await world.call('frames', frame, internalSecret);
    expect([answer.statusCode, answer.json()]).toEqual([200, { streams: 0 }]);
  });

  const refused: Readonly<Record<string, readonly [Record<string, string>, string, number]>> = {
    'through the frontend': [{ authorization: `Bearer ${internalSecret}`, 'x-forwarded-for': '203.0.113.1' }, '', 403],
    'in a query': [{}, `?token=${internalSecret}&authorization=${internalSecret}`, 401],
    'one character short': [{ authorization: `Bearer ${internalSecret.slice(1)}` }, '', 401],
    'one character long': [{ authorization: `Bearer ${internalSecret}x` }, '', 401],
    'of another case': [{ authorization: `Bearer ${internalSecret.toUpperCase()}` }, '', 401],
    'as a password': [{ authorization: `Basic ${Buffer.from(`svc:${internalSecret}`).toString('base64')}` }, '', 401],
    'that is empty': [{ authorization: 'Bearer ' }, '', 401],
    'on the status': [{ authorization: `Bearer ${internalSecret}` }, '/../../hibernation/status', 401],
  };
  for (const [name, [headers, suffix, status]] of Object.entries(refused)) {
    it(`${name} is refused`, async () => {
      const url = suffix.startsWith('/') ? '/api/v1/hibernation/status' : `/api/v1/internal/frames${suffix}`;
      const method = suffix.startsWith('/') ? 'GET' : 'POST';
      const payload = method === 'POST' ? { payload: frame.body } : {};
      expect((await world.inject({ method, url, headers, ...payload })).statusCode).toBe(status);
    });
  }

  it('that is empty lets nobody in', async () => {
    const open = await ApiWorld.start({ secrets: { jwt: 'x'.repeat(40), internalApi: '' } });
    expect((await open.call('frames', frame, '')).statusCode).toBe(401);
    await open.stop();
  });
});
