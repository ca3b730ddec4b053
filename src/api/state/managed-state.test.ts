import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, deployment } from '../../../test/support/api-world.ts';
import type { RequestParts } from '../../contract/client.ts';
import { type EndpointId, endpoints } from '../../contract/endpoints.ts';
import { stateSizeLimits } from '../../state/size.ts';
import { keptForMs } from './managed-state.ts';

let world: ApiWorld;
afterEach(() => world.stop());

const config = {
  dashboardApi: { enabled: true },
  databases: { orders: { provider: 'aws', type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
  externalWake: {
    enabled: true,
    localClusterName: 'test',
    clusters: [{ name: 'dependent', secretRef: { name: 'hmac', key: 'key' } }],
  },
};

const features = { externalWake: { verify: async () => ({ ok: true, cluster: 'dependent' }) as const } };

async function start(state?: Readonly<Record<string, string>>): Promise<string> {
  world = await ApiWorld.start({
    config,
    features,
    objects: [deployment('shop', 'cart')],
    ...(state === undefined ? {} : { state }),
  });
  return world.token(adminAddress);
}

const named = { body: { resources: [{ namespace: 'shop' }] } };

/** Everything that refuses to say whether the cluster is down while the state cannot tell. */
const refusing: readonly (readonly [EndpointId, RequestParts])[] = [
  ['hibernationStatus', {}],
  ['publicHibernationStatus', {}],
  ['dashboardStatus', {}],
  ['wakeStatus', {}],
  ['externalWake', {}],
  ['triggerHibernation', {}],
  ['wakeUp', {}],
];
const listings: readonly (readonly [EndpointId, RequestParts])[] = [
  ['resources', {}],
  ['namespaceResources', { params: { namespace: 'shop' } }],
  ['ignoredResources', {}],
  ['resourceStats', {}],
];

describe('a value that cannot be decoded', () => {
  for (const key of ['resource_states', 'wake_override']) {
    it(`puts every status, act and listing into 503 naming ${key}, and nothing is written`, async () => {
      const spoilt = { [key]: 'not JSON' };
      const token = await start(spoilt);
      for (const [id, parts] of [...refusing, ...listings]) {
        const answer = await world.call(id, parts, token);
        expect([id, answer.statusCode, answer.json()]).toEqual([
          id,
          503,
          {
            code: 'managed_state_unavailable',
            // What is wrong inside a value is for those who are signed in.
            message: `The value of ${key} in ConfigMap svc-state cannot be decoded${endpoints[id].auth === 'none' ? '' : ': it is not valid JSON'}.`,
            // Where to repair it, too: who is signed in is shown the command.
            details:
              endpoints[id].auth === 'admin' || endpoints[id].auth === 'signed-in'
                ? { key, namespace: 'svc' }
                : { key },
          },
        ]);
        expect(answer.json()).not.toHaveProperty('active');
      }
      expect(world.stateData()).toEqual(spoilt);
    });
  }

  it('of ignored_resources: the dashboard says 0, named wakes and the ignored list refuse', async () => {
    const token = await start({ ignored_resources: '{}' });
    const message =
      'The value of ignored_resources in ConfigMap svc-state cannot be decoded: it must be an array, not an object.';
    const dashboard = await world.call('dashboardStatus');
    expect([dashboard.statusCode, dashboard.json().resources.excluded]).toEqual([200, 0]);
    for (const [id, parts] of [['externalWake', named] as const, ['ignoredResources', {}] as const]) {
      const answer = await world.call(id, parts, token);
      expect([id, answer.statusCode, answer.json().code, answer.json().message]).toEqual([
        id,
        503,
        'managed_state_unavailable',
        message,
      ]);
    }
    expect((await world.call('externalWake')).statusCode).toBe(200);
    for (const id of ['hibernationStatus', 'resources', 'resourceStats', 'wakeStatus'] as const) {
      expect((await world.call(id, {}, token)).statusCode).toBe(200);
    }
    expect(levelsOf('ignored_resources')).toEqual(['debug']);
  });

  it('of external_wake_sessions: the dashboard shows none, at debug', async () => {
    const token = await start({ external_wake_sessions: '"x"' });
    const dashboard = await world.call('dashboardStatus');
    expect([dashboard.statusCode, dashboard.json().externalWake]).toEqual([200, { enabled: true, activeSessions: 0 }]);
    expect((await world.call('hibernationStatus', {}, token)).statusCode).toBe(200);
    expect(levelsOf('external_wake_sessions')).toEqual(['debug']);
  });

  it('of database_states: the dashboard keeps the configured count and shows no statuses, at warn', async () => {
    await start({ database_states: '[]' });
    const dashboard = await world.call('dashboardStatus');
    expect([dashboard.statusCode, dashboard.json().databases]).toEqual([200, { configured: 1, statuses: {} }]);
    expect(levelsOf('database_states')).toEqual(['warn']);
  });

  it('is not written over by an act that would replace it, and is named', async () => {
    const spoilt = { manual_hibernation: 'x' };
    const token = await start(spoilt);
    const answer = await world.call('triggerHibernation', {}, token);
    expect([answer.statusCode, answer.json().details]).toEqual([503, { key: 'manual_hibernation', namespace: 'svc' }]);
    expect(world.stateData()).toEqual(spoilt);
  });

  it('never keeps an admin from standing down', async () => {
    const token = await start({ resource_states: 'x', wake_override: 'x' });
    expect((await world.call('standDown', {}, token)).statusCode).toBe(200);
    expect((await world.call('endStandDown', {}, token)).json()).toEqual({ standDown: null });
  });
});

describe('a state that cannot be read', () => {
  it('once, by somebody who is signed in, is readable for everybody a second after it can be', async () => {
    const token = await start({});
    expect((await world.call('publicHibernationStatus')).statusCode).toBe(200);
    const clear = world.cluster.api.faults.add({
      match: ({ resource, verb, name }) => resource === 'configmaps' && verb === 'get' && name === 'svc-state',
      effect: { kind: 'fail', status: 403, message: 'configmaps "svc-state" is forbidden' },
    });
    await world.pass(1_100);
    expect((await world.call('hibernationStatus', {}, token)).statusCode).toBe(503);
    expect((await world.call('publicHibernationStatus')).statusCode).toBe(503);
    clear();
    await world.pass(1_100);
    expect((await world.call('publicHibernationStatus')).statusCode).toBe(200);
  });

  const failures = {
    'an RBAC refusal': { kind: 'fail', status: 403, message: 'configmaps "svc-state" is forbidden' },
    'an apiserver that is gone': { kind: 'drop', when: 'before' },
    'a timeout': { kind: 'delay', ms: 600_000 },
  } as const;
  for (const [name, effect] of Object.entries(failures)) {
    it(`by ${name} is 503 on the status endpoints and 500 on the listings, and clears itself`, async () => {
      const token = await start({});
      const clear = world.cluster.api.faults.add({
        match: ({ resource, verb, name }) => resource === 'configmaps' && verb === 'get' && name === 'svc-state',
        effect,
      });
      // What was read a second ago is not served any more; to who need not sign in, what was read before the last read failed.
      await world.pass(keptForMs + 5_100);
      for (const [id, parts] of refusing) {
        const answer = await world.call(id, parts, token);
        expect([id, answer.statusCode, answer.json().code]).toEqual([id, 503, 'managed_state_unavailable']);
        const open = id === 'publicHibernationStatus' || id === 'dashboardStatus';
        expect([id, answer.json().message]).toEqual([
          id,
          open
            ? 'The managed state could not be read.'
            : expect.stringMatching(/^The managed state could not be read: ./),
        ]);
      }
      for (const [id, parts] of listings) {
        const answer = await world.call(id, parts, token);
        expect([id, answer.statusCode, answer.json().code]).toEqual([id, 500, 'read_failed']);
      }
      clear();
      await world.pass();
      expect((await world.call('hibernationStatus', {}, token)).statusCode).toBe(200);
    });
  }

  it('that is absent is a cluster that never hibernated', async () => {
    const token = await start();
    for (const [id, parts] of [...refusing.slice(0, 4), ...listings]) {
      expect([id, (await world.call(id, parts, token)).statusCode]).toEqual([id, 200]);
    }
    expect(world.stateData()).toBeUndefined();
  });
});

describe('a write that meets another', () => {
  const isWrite = ({ resource, verb, name }: { resource: string; verb: string; name: string }) =>
    resource === 'configmaps' && verb === 'patch' && name === 'svc-state';

  it('is decided again on what the other wrote', async () => {
    const token = await start({ resource_states: '[]' });
    const first = { status: 409, message: 'the object has been modified' };
    world.cluster.api.faults.add({ match: isWrite, effect: { kind: 'fail', ...first }, times: 2 });
    expect((await world.call('standDown', {}, token)).statusCode).toBe(200);
  });

  it('that never ends is 409 and changes nothing', async () => {
    const token = await start({ resource_states: '[]' });
    const effect = { kind: 'fail', status: 409, message: 'the object has been modified' } as const;
    world.cluster.api.faults.add({ match: isWrite, effect });
    const answer = await world.call('standDown', {}, token);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'state_conflict']);
    expect(world.stateData()).toEqual({ resource_states: '[]' });
  });

  it('whose answer was lost is seen to have been done, and is done once', async () => {
    const token = await start({ resource_states: '[]' });
    world.cluster.api.faults.add({ match: isWrite, effect: { kind: 'drop', when: 'after' }, times: 1 });
    const answer = await world.call('standDown', { body: { reason: 'release' } }, token);
    expect(answer.json()).toMatchObject({ standDown: { reason: 'release' } });
    expect(JSON.parse(world.stateData()?.['stand_down'] ?? '').unannounced).toHaveLength(1);
  });

  it('that is refused says that the state could not be written', async () => {
    const token = await start({ resource_states: '[]' });
    const effect = { kind: 'fail', status: 403, message: 'forbidden by policy' } as const;
    world.cluster.api.faults.add({ match: isWrite, effect });
    const answer = await world.call('triggerHibernation', {}, token);
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        code: 'managed_state_unavailable',
        message: 'The managed state could not be written: forbidden by policy',
      },
    ]);
  });
});

describe('a state with little room', () => {
  const answers = async (ids: readonly EndpointId[], token: string) => {
    const seen: unknown[] = [];
    for (const id of ids) {
      const answer = await world.call(id, {}, token);
      seen.push([id, answer.statusCode, answer.json().code]);
    }
    return seen;
  };

  it('keeps its reserve for stopping and waking: what begins a hibernation is 409', async () => {
    const state = { note: 'x'.repeat(stateSizeLimits.ordinary) };
    const token = await start(state);
    expect(await answers(['triggerHibernation', 'externalWake'], token)).toEqual([
      ['triggerHibernation', 409, 'state_full'],
      ['externalWake', 409, 'state_full'],
    ]);
    expect(world.stateData()).toEqual(state);
    expect(await answers(['wakeUp', 'standDown', 'endStandDown'], token)).toEqual([
      ['wakeUp', 200, undefined],
      ['standDown', 200, undefined],
      ['endStandDown', 200, undefined],
    ]);
  });

  it('that was filled to the brim by records still takes a stand-down: the records make room', async () => {
    const ignored = JSON.stringify(
      Array.from({ length: 20 }, (_, index) => ({
        kind: 'Deployment',
        namespace: 'shop',
        name: `excluded-${index}`,
        reason: 'the namespace is excluded',
      })),
    );
    const records = `[${' '.repeat(stateSizeLimits.hard - ignored.length - 2)}]`;
    const token = await start({ ignored_resources: ignored, resource_states: records });
    expect(await answers(['standDown'], token)).toEqual([['standDown', 200, undefined]]);
    expect(Object.keys(world.stateData() ?? {}).toSorted()).toEqual(['epoch', 'ignored_resources', 'stand_down']);
  });
});

function levelsOf(key: string): readonly string[] {
  return [...new Set(world.log.filter(({ fields }) => fields['key'] === key).map(({ level }) => level))];
}
