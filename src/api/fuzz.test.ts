import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import { ApiWorld, adminAddress, deployment, internalSecret } from '../../test/support/api-world.ts';
import { firstProblem } from '../contract/check.ts';
import { type EndpointId, endpointIds, endpoints, errorsOf } from '../contract/endpoints.ts';
import { errorCatalogue, isErrorCode } from '../contract/errors.ts';
import { type Operation, operations } from '../contract/operations.ts';
import { errorBody } from '../contract/schemas/basics.ts';

const requests = 20_000;
const seed = 20_260_105;

const random = seededRandom(seed);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)]!;

const strings: readonly string[] = [
  '',
  'ada@example.com',
  'shop',
  'Deployment',
  '4h',
  '2026-01-06',
  '2026-01-06T10:00:00Z',
  'off',
  '08:00-20:00',
  'https://example.com/x',
  'http://169.254.169.254/',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  '\u0000\u0007',
  '\ud800',
  '𝕬\u202e',
  '-1',
  '1e309',
  'NaN',
  "' OR 1=1 --",
  '{{7*7}}',
  '=HYPERLINK("x")',
  'x'.repeat(5_000),
  '(a+)+$'.repeat(50),
];

function junk(depth = 0): unknown {
  const kind = Math.floor(random.next() * (depth > 3 ? 6 : 9));
  if (kind === 0) return null;
  if (kind === 1) return random.next() < 0.5;
  if (kind === 2) return pick([0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER, 42]);
  if (kind < 6) return pick(strings);
  if (kind === 6) return Array.from({ length: Math.floor(random.next() * 4) }, () => junk(depth + 1));
  if (kind === 7) return deep(Math.floor(random.next() * 60));
  return Object.fromEntries(Array.from({ length: 3 }, () => [pick(strings).slice(0, 20), junk(depth + 1)]));
}

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = random.next() < 0.5 ? [value] : { a: value };
  return value;
}

interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/** Something of about this shape: mostly right, now and then a wrong type, a missing field, one too many. */
function near(shape: Shape): unknown {
  if (random.next() < 0.12) return junk();
  if (shape.enum !== undefined) return pick([...shape.enum]);
  switch (shape.type) {
    case 'object': {
      const fields = Object.entries(shape.properties ?? {}).filter(
        ([name]) => random.next() < (shape.required?.includes(name) ? 0.95 : 0.5),
      );
      const extra = random.next() < 0.05 ? [[pick(strings).slice(0, 20), junk()] as const] : [];
      return Object.fromEntries([...fields.map(([name, field]) => [name, near(field)] as const), ...extra]);
    }
    case 'array':
      return Array.from({ length: Math.floor(random.next() * 3) }, () => near(shape.items ?? {}));
    case 'integer':
      return pick([0, 1, 10, 1000, -1, 1e9]);
    case 'boolean':
      return random.next() < 0.5;
    default:
      return pick(strings);
  }
}

function payloadOf(operation: Operation): string | Buffer | undefined {
  if (operation.body === undefined) return random.next() < 0.1 ? JSON.stringify(junk()) : undefined;
  const chance = random.next();
  if (chance < 0.03) return Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
  if (chance < 0.06) return '{"a":';
  if (chance < 0.08) return `${'['.repeat(3000)}${']'.repeat(3000)}`;
  if (chance < 0.1) return 'x'.repeat(70_000);
  if (chance < 0.14) return undefined;
  return JSON.stringify(near(operation.body as Shape));
}

const likely: Readonly<Record<string, string>> = {
  namespace: 'shop',
  kind: 'Deployment',
  name: 'cart',
  date: '2026-01-06',
};

function urlOf(id: EndpointId, operation: Operation): string {
  const path = endpoints[id].path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => encodeURIComponent(toWellFormed(pick([likely[name] ?? 'x', pick(strings)]))) || 'x',
  );
  const query = near((operation.query as Shape | undefined) ?? { type: 'object' });
  const pairs = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  const search = pairs.map(
    ([name, value]) => `${encodeURIComponent(toWellFormed(name))}=${encodeURIComponent(toWellFormed(String(value)))}`,
  );
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}

const toWellFormed = (text: string) => text.toWellFormed().slice(0, 300);

describe('requests of every kind', () => {
  let world: ApiWorld;
  let token: string;
  beforeAll(async () => {
    world = await ApiWorld.start({
      objects: [deployment('shop', 'cart'), deployment('shop', 'web'), deployment('kube-system', 'dns')],
      config: {
        auth: { webauthn: { enabled: true }, tokenExpiry: '720h' },
        dashboardApi: { enabled: true },
        notifications: { enabled: true },
        urlReadinessCheck: { enabled: true },
        externalWake: { enabled: true, localClusterName: 'test', quotas: { maxWakesPerHour: 10_000 } },
      },
      features: { externalWake: { verify: async () => ({ ok: true, cluster: 'dependent' }) } },
      outbound: {
        resolve: async () => ['93.184.216.34'],
        get: async () => ({ status: 200 }),
      },
    });
    token = await world.token(adminAddress);
  });
  afterAll(() => world.stop());

  it(`${requests} requests: no 5xx, one body for every error, answers as the document says`, async () => {
    const ids: readonly EndpointId[] = endpointIds.filter((id) => id !== 'events' && id !== 'logout');
    const seen = new Set<string>();
    for (let index = 0; index < requests; index++) {
      // No controller empties the outbox here, and it would grow for ever.
      if (index % 1000 === 999) world.setState({});
      const id = ids[index % ids.length]!;
      const operation: Operation = operations[id];
      const payload = payloadOf(operation);
      const url = urlOf(id, operation);
      const bearer = endpoints[id].auth === 'internal' ? internalSecret : token;
      const answer = await world.inject({
        method: endpoints[id].method,
        url,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(payload === undefined ? {} : { payload }),
      });
      const where = `${id} ${url.slice(0, 200)} ${String(payload).slice(0, 300)} -> ${answer.statusCode} ${answer.body.slice(0, 300)}`;
      judge(id, operation, answer.statusCode, answer.headers['content-type'], answer.body, where);
      if (answer.statusCode < 300) seen.add(id);
    }
    // The run is worth something only if it gets past the checks.
    const never = ids.filter((id) => !seen.has(id));
    expect(never).toEqual(
      [
        'verifyOtp',
        'openMagicLink',
        'refreshSession',
        'signInWithPasskey',
        'registerPasskey',
        'deletePasskey',
        'dashboardCosts',
        'revokeCalendarFeed',
        'calendar',
        'testNotification',
      ].filter((id) => never.includes(id as EndpointId)),
    );
  });
});

function judge(
  id: EndpointId,
  operation: Operation,
  status: number,
  contentType: unknown,
  body: string,
  where: string,
): void {
  if (status === 200) {
    if (String(contentType).startsWith('text/csv')) return;
    const problem = firstProblem(operation.answer, JSON.parse(body));
    if (problem !== undefined) throw new Error(`${where}: ${problem.field} ${problem.message}`);
    return;
  }
  const error = JSON.parse(body) as { code: string };
  const problem = firstProblem(errorBody, error);
  if (problem !== undefined) throw new Error(`${where}: no error body: ${problem.field} ${problem.message}`);
  if (!isErrorCode(error.code) || errorCatalogue[error.code].status !== status) throw new Error(`${where}: wrong code`);
  // The cluster is well and the state is whole: no request can be a reason for a 5xx.
  if (status >= 500) throw new Error(where);
  // A path part that turns one path into another is answered by that one.
  const stray = error.code === 'not_found' || error.code === 'method_not_allowed';
  if (!stray && !errorsOf(endpoints[id]).includes(error.code)) throw new Error(`${where}: not in the contract`);
}
