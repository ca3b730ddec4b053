import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import {
  ApiWorld,
  type ApiWorldOptions,
  adminAddress,
  deployment,
  internalSecret,
  userAddress,
} from '../../../test/support/api-world.ts';
import { type StreamClient, StreamHub } from './hub.ts';

interface Event {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** A reader of the stream over a real port. */
class Reader {
  text = '';
  ended = false;
  readonly #response: IncomingMessage;

  constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.text += chunk;
    });
    response.on('end', () => {
      this.ended = true;
    });
    response.on('error', () => {
      this.ended = true;
    });
  }

  get headers() {
    return this.#response.headers;
  }

  events(name?: string): readonly Event[] {
    return this.text.split('\n\n').flatMap((block) => {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      const { id, event, data } = fields as Record<string, string>;
      if (event === undefined || (name !== undefined && event !== name)) return [];
      return [{ id: id!, event, data: JSON.parse(data!) }];
    });
  }

  close(): void {
    this.#response.destroy();
  }
}

let world: ApiWorld;
const readers: Reader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await world?.stop();
});

const start = async (options: ApiWorldOptions = {}) => {
  world = await ApiWorld.start({ port: 0, host: '127.0.0.1', objects: [deployment('shop', 'cart')], ...options });
};

function open(token: string, headers: Record<string, string> = {}): Promise<Reader> {
  return new Promise((resolve, reject) => {
    const url = `${world.running.url}/api/v1/events`;
    get(url, { headers: { authorization: `Bearer ${token}`, ...headers } }, (response) => {
      const reader = new Reader(response);
      readers.push(reader);
      response.statusCode === 200 ? resolve(reader) : reject(new Error(String(response.statusCode)));
    }).on('error', reject);
  });
}

/** Real sockets need real turns of the event loop; the clock moves beside them. */
async function until(holds: () => boolean, advanceMs = 100): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    await world.clock.advance(advanceMs);
    await new Promise((resolve) => setImmediate(resolve));
    if (turn > 3000) throw new Error('it does not come to hold');
  }
}

const frame = (kind: string, payload: unknown) => world.call('frames', { body: { kind, payload } }, internalSecret);

describe('the event stream', () => {
  it('shows who connects the last of each kind, then what changes', async () => {
    await start();
    const admin = await world.token(adminAddress);
    await frame('plan', { wanted: 'hibernated' });
    await world.pass();
    const reader = await open(admin);
    await until(() => reader.events().length >= 3);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(
      reader
        .events()
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual(['plan', 'stand-down-update', 'status']);
    expect(reader.events('stand-down-update')[0]?.data).toEqual({ standDown: null });
    await world.call('standDown', { body: { reason: 'release' } }, admin);
    await until(() => reader.events('stand-down-update').length === 2);
    expect(reader.events('stand-down-update')[1]?.data).toMatchObject({
      standDown: { source: 'admin', actor: adminAddress, reason: 'release', handbackDone: false },
    });
    await until(() => reader.events('status').length >= 2);
    expect(reader.events('status').at(-1)?.data).toMatchObject({ standDown: { actor: adminAddress } });
  });

  it('tells of a stand-down that the controller writes into the state', async () => {
    await start({ state: {} });
    const reader = await open(await world.token(userAddress));
    await until(() => reader.events('stand-down-update').length === 1);
    world.setState({ stand_down: JSON.stringify({ configuration: { at: '2026-01-05T11:00:00Z' } }) });
    await until(() => reader.events('stand-down-update').length === 2);
    expect(reader.events('stand-down-update')[1]?.data).toMatchObject({
      standDown: { source: 'configuration', actor: 'configuration', configuration: true },
    });
  });

  it('keeps what names workloads and persons from who is no admin', async () => {
    await start();
    const [admin, user] = [await open(await world.token(adminAddress)), await open(await world.token(userAddress))];
    await frame('transition', { kind: 'wake', progress: { id: 'w', up: 1, total: 2 } });
    await frame('audit', { id: 'a', title: 'Stood Down' });
    await frame('stand-down-update', { standDown: null });
    await until(() => admin.events('audit').length === 1 && user.events('status').length >= 1);
    expect(admin.events('transition')).toHaveLength(1);
    expect(user.events().filter(({ event }) => ['transition', 'audit', 'plan'].includes(event))).toEqual([]);
  });

  it('tells who is no admin any more nothing that is for admins, from that moment on', async () => {
    await start();
    const reader = await open(await world.token(adminAddress));
    await frame('audit', { id: 'before' });
    await until(() => reader.events('audit').length === 1);
    world.configure({ auth: { adminUsers: ['somebody@example.com'] } });
    await world.pass();
    await frame('audit', { id: 'after' });
    await frame('transition', { kind: 'wake', progress: { id: 'w', up: 1, total: 2 } });
    await world.call('standDown', {}, await world.token('somebody@example.com'));
    await until(() => reader.events('stand-down-update').length === 2);
    expect(reader.events('audit').map(({ data }) => data)).toEqual([{ id: 'before' }]);
    expect(reader.events('transition')).toEqual([]);
    expect(reader.ended).toBe(false);
  });

  it('ends within a heartbeat when the domain of its reader is allowed no longer', async () => {
    await start();
    const reader = await open(await world.token(userAddress));
    world.configure({ auth: { allowedEmailDomains: ['elsewhere.example'] } });
    await until(() => reader.ended, 1000);
    expect(reader.text.match(/: alive/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it('goes on after the last event that a client has seen', async () => {
    await start();
    const admin = await world.token(adminAddress);
    const first = await open(admin);
    await frame('audit', { id: 'one' });
    await until(() => first.events('audit').length === 1);
    const last = first.events().at(-1)!.id;
    first.close();
    await frame('audit', { id: 'two' });
    await frame('audit', { id: 'three' });
    const again = await open(admin, { 'last-event-id': last });
    await until(() => again.events('audit').length === 2);
    expect(again.events('audit').map(({ data }) => data)).toEqual([{ id: 'two' }, { id: 'three' }]);
    const stranger = await open(admin, { 'last-event-id': 'another-run-5' });
    await until(() => stranger.events('status').length === 1);
    expect(stranger.events('audit')).toEqual([]);
  });

  it('keeps what names workloads and persons from who comes again and is no admin', async () => {
    await start();
    const [admin, user] = [await world.token(adminAddress), await world.token(userAddress)];
    const first = await open(user);
    await until(() => first.events('stand-down-update').length === 1);
    const last = first.events().at(-1)!.id;
    first.close();
    await frame('transition', { kind: 'wake', progress: { id: 'w', up: 1, total: 2 } });
    await frame('plan', { wanted: 'hibernated' });
    await frame('audit', { id: 'a' });
    await frame('stand-down-update', { standDown: { actor: 'missed' } });
    const named = ['transition', 'plan', 'audit'];
    // Where it was last is known, or another process has taken over since.
    for (const since of [last, 'another-run-5']) {
      const headers = { 'last-event-id': since };
      const [again, witness] = [await open(user, headers), await open(admin, headers)];
      const hasComeFar = (reader: Reader) => reader.events('stand-down-update').length >= 1;
      await until(() => hasComeFar(again) && hasComeFar(witness));
      expect(again.events().filter(({ event }) => named.includes(event))).toEqual([]);
      expect(witness.events('plan')).toHaveLength(1);
    }
  });

  it('beats every 15 seconds, and ends when the token does', async () => {
    await start({ config: { auth: { tokenExpiry: '2m' } } });
    const reader = await open(await world.token(userAddress));
    await until(() => reader.text.includes(': alive'), 1000);
    expect(reader.ended).toBe(false);
    await until(() => reader.ended, 1000);
    expect(reader.text.match(/: alive/g)?.length).toBeLessThanOrEqual(8);
  });

  it('ends with a logout', async () => {
    await start();
    const { token, refreshToken } = await world.signIn(userAddress);
    const reader = await open(token);
    await world.call('logout', { body: { refreshToken } });
    await until(() => reader.ended, 1000);
  });

  it('is refused without a sign-in and beyond the bound of a user', async () => {
    await start({ streams: { total: 100, perUser: 2, backlog: 1000 } });
    await expect(open('x')).rejects.toThrow('401');
    const token = await world.token(userAddress);
    const first = await open(token);
    await open(token);
    await expect(open(token)).rejects.toThrow('429');
    expect((await world.running.api.metrics.render()).text).toContain('svc_api_event_streams 2\n');
    first.close();
    await until(() => world.running.api.hub.size === 1);
    await open(token);
  });

  it('has room for people of the company and for admins, whoever from outside has opened all that they may', async () => {
    await start({ streams: { total: 4, forAdmins: 1, forCompany: 2, perUser: 2, backlog: 1000 } });
    await open(await world.token('eve@elsewhere.example'));
    await expect(open(await world.token('mal@elsewhere.example'))).rejects.toThrow('429');
    const colleague = await world.token(userAddress);
    await open(colleague);
    await open(colleague);
    await expect(open(await world.token('carol@example.com'))).rejects.toThrow('429');
    await open(await world.token(adminAddress));
  });

  it('ends orderly when the API stops', async () => {
    await start();
    const reader = await open(await world.token(userAddress));
    await world.stop();
    await until(() => reader.ended);
    expect(reader.text.endsWith('\n\n')).toBe(true);
  });
});

describe('the hub', () => {
  const client = (takes: () => boolean, over: Partial<StreamClient> = {}) => {
    const seen: string[] = [];
    const made = {
      seen,
      ended: false,
      admin: true,
      allowed: () => true,
      write(text: string) {
        seen.push(text);
        return takes();
      },
      end() {
        made.ended = true;
      },
      ...over,
    };
    return made;
  };

  it('drops a client that takes no more, and no other', () => {
    const hub = new StreamHub('run', new VirtualClock(0));
    let full = false;
    const [slow, quick] = [client(() => !full), client(() => true)];
    hub.open(slow, undefined);
    hub.open(quick, undefined);
    full = true;
    hub.publish('audit', { id: 1 });
    expect([hub.size, slow.ended, quick.ended]).toEqual([1, true, false]);
    hub.publish('audit', { id: 2 });
    expect(quick.seen).toHaveLength(3);
  });

  it('beats while somebody listens, and not else', async () => {
    const clock = new VirtualClock(0);
    const hub = new StreamHub('run', clock);
    const beats = () => listener.seen.filter((text) => text === ': alive\n\n').length;
    expect(await clock.step()).toBe(false);
    const listener = client(() => true);
    const close = hub.open(listener, undefined);
    hub.open(
      client(() => false),
      undefined,
    );
    await clock.advance(30_000);
    expect([beats(), hub.size]).toEqual([2, 1]);
    close();
    await clock.advance(15_000);
    expect([beats(), await clock.step()]).toEqual([2, false]);
    hub.open(listener, undefined);
    await clock.advance(15_000);
    expect(beats()).toBe(3);
    hub.endAll();
    const late = client(() => true);
    hub.open(late, undefined);
    expect([late.ended, hub.size, await clock.step()]).toEqual([true, 0, false]);
  });

  it('says a state once, and news as often as it happens', () => {
    const hub = new StreamHub('run', new VirtualClock(0));
    const one = client(() => true);
    hub.open(one, undefined);
    for (let index = 0; index < 3; index++) hub.publish('status', { state: 'awake' });
    for (let index = 0; index < 3; index++) hub.publish('audit', { id: 'x' });
    expect(one.seen.slice(1).map((text) => /event: (\S+)/.exec(text)?.[1])).toEqual([
      'status',
      'audit',
      'audit',
      'audit',
    ]);
  });

  it('keeps a hostile payload on one line of data', () => {
    const hub = new StreamHub('run', new VirtualClock(0));
    const one = client(() => true);
    hub.open(one, undefined);
    hub.publish('audit', { reason: 'x\n\nevent: stand-down-update\ndata: {}\n\n' });
    expect(one.seen[1]?.trimEnd().split('\n')).toHaveLength(3);
  });
});
