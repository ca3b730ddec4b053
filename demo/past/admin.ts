import { HttpClient } from '../../src/adapters/outbound/http-client.ts';
import { type RunningApi, startApi } from '../../src/api/main.ts';
import { apiFeatures } from '../../src/api/main-features.ts';
import { pathOf, type RequestParts } from '../../src/contract/client.ts';
import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts';
import { cryptographicRandom } from '../../src/platform/random.ts';
import { silentLogger } from '../../src/platform/silent-logger.ts';
import { shippedAuthority } from '../../src/service/license-source.ts';
import { MemoryInbox } from '../memory-inbox.ts';
import type { PastOptions } from './past-options.ts';
import { settle } from './settle.ts';

/** What an admin did in the past, over the API as from the web app. */
export interface Admin {
  setHours(date: string, hours: string, reason: string): Promise<void>;
  keepAwake(ms: number): Promise<void>;
  standDown(reason: string): Promise<void>;
  endStandDown(): Promise<void>;
}

/** Signs in with the mailed code and acts. The API runs only as long: nobody else asks it anything in the past. */
export async function asAdmin(options: PastOptions, act: (admin: Admin) => Promise<void>): Promise<void> {
  const { clock, admin: email } = options;
  const inbox = new MemoryInbox({ kept: 1 });
  const api = await settle(clock, startPastApi(options, inbox));
  const call = async (id: EndpointId, parts: RequestParts, token?: string): Promise<string> => {
    const answer = await settle(
      clock,
      api.api.server.app.inject({
        method: endpoints[id].method,
        url: pathOf(id, parts),
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        ...(parts.body === undefined ? {} : { payload: parts.body as object }),
      }),
    );
    if (answer.statusCode !== 200) throw new Error(`${id} was answered ${answer.statusCode}: ${answer.body}`);
    return answer.body;
  };
  await call('requestOtp', { body: { email } });
  const otp = /\b\d{8}\b/.exec(inbox.last(email)?.text ?? '')?.[0];
  const { token } = JSON.parse(await call('verifyOtp', { body: { email, otp, refresh: 'body' } })) as { token: string };
  const does = async (id: EndpointId, parts: RequestParts = {}) => void (await call(id, parts, token));
  await act({
    setHours: (date, hours, reason) => does('setScheduleOverride', { params: { date }, body: { hours, reason } }),
    keepAwake: (ms) => does('wakeUp', { body: { until: new Date(clock.now() + ms).toISOString() } }),
    standDown: (reason) => does('standDown', { body: { reason } }),
    endStandDown: () => does('endStandDown'),
  });
  await settle(clock, api.stop());
}

function startPastApi({ clock, cluster, namespace }: PastOptions, inbox: MemoryInbox): Promise<RunningApi> {
  const random = cryptographicRandom;
  const secret = () => Buffer.from(random.bytes(32)).toString('base64');
  return startApi({
    transport: cluster.transport({ user: `system:serviceaccount:${namespace}:svc-api`, groups: ['system:masters'] }),
    clock,
    random,
    logger: silentLogger,
    namespace,
    secrets: { jwt: secret(), internalApi: secret() },
    mailer: () => inbox,
    authority: shippedAuthority,
    inForce() {},
    restored() {},
    version: 'demo',
    outbound: new HttpClient(),
    features: (base) => apiFeatures(base, {}),
  });
}
