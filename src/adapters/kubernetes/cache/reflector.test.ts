import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../embedded-cluster/seeded-random.ts';
import { VirtualClock } from '../../../../embedded-cluster/time/virtual-clock.ts';
import {
  type Answer,
  failing,
  json,
  refusal,
  ScriptedTransport,
  WatchEnd,
} from '../../../../test/support/scripted-transport.ts';
import { silentLogger } from '../../../platform/silent-logger.ts';
import { KubeClient } from '../client/kube-client.ts';
import { type KubeObject, resources } from '../client/resource-type.ts';
import { TokenBucket } from '../client/token-bucket.ts';
import type { Change } from './reflected-objects.ts';
import { Reflector } from './reflector.ts';
import type { ReflectorOptions } from './reflector-options.ts';

type Pod = KubeObject & { readonly status?: { readonly phase?: string } };
type Options = Partial<ReflectorOptions<Pod, string>>;

function setUp(options: Options = {}) {
  const clock = new VirtualClock(1_000_000);
  const transport = new ScriptedTransport();
  const limiter = new TokenBucket(clock, { qps: Number.POSITIVE_INFINITY, burst: 1 });
  const random = seededRandom(7);
  const client = new KubeClient({
    transport,
    clock,
    random,
    limiter,
    userAgent: 't',
    fieldManager: 't',
    logger: silentLogger,
    requestTimeoutMs: 30_000,
  });
  const reflector = new Reflector<Pod, string>({
    answered: undefined,
    client,
    clock,
    random,
    logger: silentLogger,
    type: resources.pods as typeof resources.pods & { objects?: Pod },
    project: (raw) => raw.status?.phase ?? 'none',
    streamingList: false,
    ...options,
  });
  const changes: string[] = [];
  const describeChange = ({ type, namespace, name, object, previous }: Change<string>) =>
    `${type} ${namespace}/${name} ${previous === undefined ? '' : `${previous} → `}${object}`;
  reflector.onChange((change) => changes.push(describeChange(change)));
  const paths = () => transport.requests.map(({ path }) => path.replace(/timeoutSeconds=\d+/, 'timeoutSeconds=T'));
  const seen = () => changes.splice(0);
  return { clock, transport, reflector, paths, seen };
}

const pod = (name: string, phase: string, resourceVersion: string): Pod => ({
  metadata: { namespace: 'shop', name, resourceVersion },
  status: { phase },
});
const list = (resourceVersion: string, ...items: readonly Pod[]) => json(200, { metadata: { resourceVersion }, items });
const bookmark = (resourceVersion: string, end = false) => ({
  metadata: { resourceVersion, ...(end ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}) },
});
const status = (code: number, reason: string) => ({ kind: 'Status', code, reason, message: reason });
const watchPath = (version: string) =>
  `/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=${version}&timeoutSeconds=T`;
const listPath = '/api/v1/pods?limit=100';
/** Asks for the newest version and nothing else. */
const versionPath = '/api/v1/pods?limit=1';
const streamPath =
  '/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=T&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

describe('a paged list and a watch', () => {
  it('keeps the map as the cluster has it and tells every difference once', async () => {
    const { clock, transport, reflector, paths, seen } = setUp();
    const far = new WatchEnd();
    transport.answer(list('5', pod('a', 'Pending', '3'), pod('b', 'Running', '4')), far.answer);
    reflector.start();
    await clock.advance(0);
    expect(await reflector.synced).toBe(true);
    expect(seen()).toEqual(['added shop/a Pending', 'added shop/b Running']);
    far.send('MODIFIED', pod('a', 'Running', '6')).send('MODIFIED', pod('a', 'Running', '7'));
    far.send('DELETED', pod('b', 'Failed', '8')).send('ADDED', pod('c', 'Pending', '9'));
    await clock.advance(0);
    expect(seen()).toEqual(['modified shop/a Pending → Running', 'deleted shop/b Running', 'added shop/c Pending']);
    expect([...reflector.objects.entries()]).toEqual([
      ['shop', 'a', 'Running'],
      ['shop', 'c', 'Pending'],
    ]);
    expect(reflector.objects.size).toBe(2);
    expect(paths()).toEqual([listPath, watchPath('5')]);
    reflector.stop();
  });

  it('goes on from the last version, a bookmark’s included, when the server ends the watch', async () => {
    const { clock, transport, reflector, paths } = setUp();
    const first = new WatchEnd();
    const second = new WatchEnd();
    transport.answer(list('5'), first.answer, second.answer);
    reflector.start();
    await clock.advance(0);
    first.send('BOOKMARK', bookmark('17'));
    first.end();
    await clock.advance(0);
    expect(paths()).toEqual([listPath, watchPath('5'), watchPath('17')]);
    reflector.stop();
  });

  it('takes what is known of a version from there, without reading the event, and goes on from it', async () => {
    const answers = new Map([['6', 'answered']]);
    const { clock, transport, reflector, paths, seen } = setUp({
      answered: ({ resourceVersion, name }) => (name === 'a' ? answers.get(resourceVersion) : undefined),
    });
    const [first, second] = [new WatchEnd(), new WatchEnd()];
    transport.answer(list('5', pod('a', 'Pending', '3'), pod('b', 'Pending', '4')), first.answer, second.answer);
    reflector.start();
    await clock.advance(0);
    seen();
    const withUid = (one: Pod): Pod => ({ ...one, metadata: { ...one.metadata, uid: 'u' } });
    first.send('MODIFIED', withUid(pod('a', 'Running', '6')));
    await clock.advance(0);
    expect(seen()).toEqual(['modified shop/a Pending → answered']);
    first.end();
    await clock.advance(0);
    expect(paths()).toEqual([listPath, watchPath('5'), watchPath('6')]);
    second.send('MODIFIED', withUid(pod('b', 'Running', '6'))).send('MODIFIED', withUid(pod('a', 'Running', '7')));
    await clock.advance(0);
    expect(seen()).toEqual(['modified shop/b Pending → Running', 'modified shop/a answered → Running']);
    reflector.stop();
  });

  it('renewed, lists again, whatever the old watch still says', async () => {
    const { clock, transport, reflector, paths, seen } = setUp();
    const [old, fresh] = [new WatchEnd(), new WatchEnd()];
    transport.answer(list('5', pod('a', 'Pending', '3'), pod('b', 'Running', '4')), old.answer);
    transport.answer(list('9', pod('a', 'Running', '8')), fresh.answer);
    reflector.start();
    await clock.advance(0);
    seen();
    old.send('MODIFIED', pod('b', 'Failed', '6'));
    reflector.renew();
    expect([reflector.isSynced, reflector.isRenewing]).toEqual([true, true]);
    await clock.advance(0);
    expect([reflector.isRenewing, reflector.lastError]).toEqual([false, undefined]);
    expect([...reflector.objects.entries()]).toEqual([['shop', 'a', 'Running']]);
    expect(seen().slice(-2)).toEqual(['modified shop/a Pending → Running', expect.stringContaining('deleted shop/b')]);
    expect(paths()).toEqual([listPath, watchPath('5'), listPath, watchPath('9')]);
    reflector.stop();
  });

  it('renewed, and refused the list, goes on from where it was', async () => {
    const { clock, transport, reflector, paths } = setUp();
    const fresh = new WatchEnd();
    transport.answer(list('5', pod('a', 'Pending', '3')), new WatchEnd().answer);
    transport.answer(refusal(403, 'Forbidden', 'no longer'), fresh.answer);
    reflector.start();
    await clock.advance(0);
    reflector.renew();
    await clock.advance(0);
    expect([reflector.isRenewing, reflector.isSynced]).toEqual([false, true]);
    await clock.advance(2_000);
    fresh.send('MODIFIED', pod('a', 'Running', '6'));
    await clock.advance(0);
    expect([...reflector.objects.entries()]).toEqual([['shop', 'a', 'Running']]);
    expect(paths()).toEqual([listPath, watchPath('5'), listPath, watchPath('5')]);
    reflector.stop();
  });

  it('renewed, and broken off half way, lists until it is through: nothing that was shown is shown older again', async () => {
    const { clock, transport, reflector, paths, seen } = setUp({ streamingList: true });
    const [old, half, fresh] = [new WatchEnd(), new WatchEnd(), new WatchEnd()];
    const start = new WatchEnd().send('ADDED', pod('a', 'Pending', '3')).send('BOOKMARK', bookmark('5', true));
    start.end();
    transport.answer(start.answer, old.answer, half.answer, failing(new Error('read ECONNRESET')), fresh.answer);
    reflector.start();
    await clock.advance(0);
    seen();
    reflector.renew();
    await clock.advance(0);
    half.send('ADDED', pod('a', 'Running', '8'));
    await clock.advance(0);
    half.fail(new Error('read ECONNRESET'));
    await clock.advance(0);
    expect(reflector.isRenewing).toBe(true);
    // Once more while it is at it changes nothing.
    reflector.renew();
    await clock.advance(0);
    expect(reflector.isRenewing).toBe(true);
    await clock.advance(5_000);
    fresh.send('ADDED', pod('a', 'Running', '8')).send('BOOKMARK', bookmark('9', true));
    await clock.advance(0);
    expect([reflector.isRenewing, seen()]).toEqual([false, ['modified shop/a Pending → Running']]);
    expect(paths()).toEqual([streamPath, watchPath('5'), streamPath, streamPath, streamPath]);
    reflector.stop();
  });

  it('renewed, goes on from the end of the list, whatever is known of a version by then', async () => {
    const answered = ({ resourceVersion }: { readonly resourceVersion: string }) =>
      resourceVersion === '7' ? 'answered' : undefined;
    const { clock, transport, reflector, paths } = setUp({ streamingList: true, answered });
    const [old, renewed, next] = [new WatchEnd(), new WatchEnd(), new WatchEnd()];
    const start = new WatchEnd().send('BOOKMARK', bookmark('5', true));
    start.end();
    transport.answer(start.answer, old.answer, renewed.answer, next.answer);
    reflector.start();
    await clock.advance(0);
    reflector.renew();
    await clock.advance(0);
    const own = pod('a', 'Running', '7');
    renewed.send('MODIFIED', { ...own, metadata: { ...own.metadata, uid: 'u' } });
    await clock.advance(0);
    expect(reflector.isRenewing).toBe(true);
    renewed.send('BOOKMARK', bookmark('9', true));
    renewed.end();
    await clock.advance(0);
    expect(reflector.isRenewing).toBe(false);
    expect(paths()).toEqual([streamPath, watchPath('5'), streamPath, watchPath('9')]);
    reflector.stop();
  });

  it('renewed while it waits for a kind that is not there, looks at once', async () => {
    const { clock, transport, reflector, paths } = setUp({ optional: true });
    transport.answer(refusal(404, 'NotFound', 'no such kind'), refusal(404, 'NotFound', 'no such kind'));
    reflector.start();
    await clock.advance(60_000);
    reflector.renew();
    await clock.advance(0);
    expect([reflector.isRenewing, paths()]).toEqual([false, [listPath, listPath]]);
    reflector.stop();
  });

  it('renewed during a list, begins it anew', async () => {
    const { clock, transport, reflector, paths } = setUp();
    let answerList = () => {};
    const late: Answer = async (request) => {
      await new Promise<void>((resolve) => {
        answerList = resolve;
      });
      return list('5', pod('a', 'Pending', '3'))(request);
    };
    transport.answer(late, list('9', pod('a', 'Running', '8')));
    transport.answer(new WatchEnd().answer);
    reflector.start();
    await clock.advance(0);
    reflector.renew();
    answerList();
    await clock.advance(0);
    expect([...reflector.objects.entries()]).toEqual([['shop', 'a', 'Running']]);
    expect(paths()).toEqual([listPath, listPath, watchPath('9')]);
    reflector.stop();
  });

  it('asks the server to end a watch after five to ten minutes', async () => {
    const { clock, transport, reflector } = setUp();
    const ends = Array.from({ length: 8 }, () => new WatchEnd());
    transport.answer(list('5'), ...ends.map((end) => end.answer));
    reflector.start();
    for (const end of ends) {
      await clock.advance(0);
      end.send('BOOKMARK', bookmark('6'));
      end.end();
    }
    const seconds = transport.requests.slice(1).map(({ path }) => Number(/timeoutSeconds=(\d+)/.exec(path)?.[1]));
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(300);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(600);
    expect(new Set(seconds).size).toBeGreaterThan(4);
    reflector.stop();
  });
});

describe('a version that is too old', () => {
  it.each([
    ['as a status', refusal(410, 'Expired', 'too old resource version')],
    ['inside a stream', new WatchEnd().send('ERROR', status(410, 'Expired')).answer],
    ['inside a stream without a code', new WatchEnd().send('ERROR', { kind: 'Status', reason: 'Gone' }).answer],
  ])('is listed anew at once, in place and with the real differences only: 410 %s', async (_, answer) => {
    const { clock, transport, reflector, paths, seen } = setUp();
    const far = new WatchEnd();
    transport.answer(
      list('5', pod('a', 'Pending', '1'), pod('b', 'Running', '2'), pod('gone', 'Running', '3')),
      answer,
    );
    transport.answer(
      list('50', pod('a', 'Running', '40'), pod('b', 'Running', '2'), pod('new', 'Pending', '45')),
      far.answer,
    );
    const { objects } = reflector;
    reflector.start();
    await clock.advance(0);
    expect(seen()).toEqual([
      'added shop/a Pending',
      'added shop/b Running',
      'added shop/gone Running',
      'modified shop/a Pending → Running',
      'added shop/new Pending',
      'deleted shop/gone Running',
    ]);
    expect(reflector.objects).toBe(objects);
    expect(paths()).toEqual([listPath, watchPath('5'), listPath, watchPath('50')]);
    reflector.stop();
  });

  it('does not make lists in a hot loop when every watch ends with 410', async () => {
    const { clock, transport, reflector, paths } = setUp();
    for (let i = 0; i < 100; i++) transport.answer(list('5'), refusal(410, 'Expired', 'x'));
    reflector.start();
    await clock.advance(60_000);
    expect(paths().length).toBeLessThan(30);
    reflector.stop();
  });

  it('is suspected after three refusals in a row (a cluster restored from a backup)', async () => {
    const { clock, transport, reflector, paths } = setUp();
    const unknown = refusal(400, 'BadRequest', 'the resource version is not known');
    transport.answer(list('900'), unknown, unknown, unknown, list('10'), new WatchEnd().answer);
    reflector.start();
    await clock.advance(60_000);
    expect(paths()).toEqual([
      listPath,
      watchPath('900'),
      watchPath('900'),
      watchPath('900'),
      listPath,
      watchPath('10'),
    ]);
    reflector.stop();
  });
});

describe('a cluster that was restored from a backup', () => {
  const restored = list('10', pod('a', 'Pending', '7'));
  const broken = () => {
    const end = new WatchEnd();
    return { end, strike: () => end.fail(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })) };
  };

  it('is noticed when the connection is lost, listed anew, and whoever knows versions hears of it', async () => {
    let heard = 0;
    const { clock, transport, reflector, paths, seen } = setUp({ onRestored: () => heard++ });
    const { end, strike } = broken();
    transport.answer(list('900', pod('a', 'Running', '800')), end.answer, list('10'), restored, new WatchEnd().answer);
    reflector.start();
    await clock.advance(5_000);
    strike();
    await clock.advance(5_000);
    expect(paths()).toEqual([listPath, watchPath('900'), versionPath, listPath, watchPath('10')]);
    expect(seen()).toEqual(['added shop/a Running', 'modified shop/a Running → Pending']);
    expect(heard).toBe(1);
    reflector.stop();
  });

  it.each([
    [
      'a list after three refusals of the version',
      Array.from({ length: 3 }, () => refusal(400, 'BadRequest', 'the resource version is not known')),
    ],
    ['a list after the version was too old', [refusal(410, 'Expired', 'too old')]],
  ])('is noticed by %s, once', async (_, refusals) => {
    let heard = 0;
    const { clock, transport, reflector } = setUp({ onRestored: () => heard++ });
    const watch = new WatchEnd();
    const told = new WatchEnd().send('MODIFIED', pod('a', 'Running', '900'));
    told.end();
    transport.answer(list('5', pod('a', 'Pending', '3')), told.answer, ...refusals, restored, watch.answer);
    reflector.start();
    await clock.advance(60_000);
    watch.send('MODIFIED', pod('a', 'Running', '11'));
    await clock.advance(0);
    expect([heard, [...reflector.objects.entries()]]).toEqual([1, [['shop', 'a', 'Running']]]);
    reflector.stop();
  });

  it('is none where a list goes on from where the watch was', async () => {
    let heard = 0;
    const { clock, transport, reflector } = setUp({ onRestored: () => heard++ });
    transport.answer(list('900'), refusal(410, 'Expired', 'too old'), list('1000'), new WatchEnd().answer);
    reflector.start();
    await clock.advance(60_000);
    expect(heard).toBe(0);
    reflector.stop();
  });

  it.each([
    [503, 'not ready'],
    [504, 'Too large resource version'],
    [429, 'too many requests'],
    [401, 'Unauthorized'],
  ])('is noticed when a watch that ended cannot be opened again: %i %s', async (status, message) => {
    const { clock, transport, reflector, paths } = setUp();
    const watch = new WatchEnd();
    const refused = refusal(status, 'Unavailable', message);
    transport.answer(list('900'), watch.answer, refused, list('10'), restored, new WatchEnd().answer);
    reflector.start();
    await clock.advance(5_000);
    watch.end();
    await clock.advance(5_000);
    expect(paths()).toEqual([listPath, watchPath('900'), watchPath('900'), versionPath, listPath, watchPath('10')]);
    reflector.stop();
  });

  it('is noticed behind a watch that says nothing', async () => {
    const { clock, transport, reflector, paths } = setUp();
    transport.answer(list('900'), new WatchEnd().answer, list('10'), restored, new WatchEnd().answer);
    reflector.start();
    await clock.advance(150_000);
    expect(paths()).toEqual([listPath, watchPath('900'), versionPath, listPath, watchPath('10')]);
    reflector.stop();
  });

  it('is looked for until there is an answer, and not where lists are not allowed', async () => {
    const { clock, transport, reflector, paths } = setUp();
    const { end, strike } = broken();
    const away = refusal(503, 'ServiceUnavailable', 'not ready');
    const forbidden = refusal(403, 'Forbidden', 'pods is forbidden');
    transport.answer(list('900'), end.answer, away, forbidden, new WatchEnd().answer);
    reflector.start();
    await clock.advance(5_000);
    strike();
    await clock.advance(20_000);
    expect(paths()).toEqual([listPath, watchPath('900'), versionPath, versionPath, watchPath('900')]);
    reflector.stop();
  });
});

describe('failures', () => {
  it('tell when there is something to be learned again, once, though it be nothing new', async () => {
    let readable = 0;
    const { clock, transport, reflector } = setUp({ onReadable: () => readable++ });
    const away = refusal(503, 'ServiceUnavailable', 'not ready');
    const watch = new WatchEnd();
    transport.answer(list('5'), watch.answer, away, away, list('5'), new WatchEnd().answer);
    reflector.start();
    await clock.advance(5_000);
    watch.end();
    await clock.advance(100);
    expect([reflector.unreadable === undefined, readable]).toEqual([false, 0]);
    await clock.advance(60_000);
    expect([reflector.unreadable, readable]).toEqual([undefined, 1]);
    reflector.stop();
  });

  it('never stops for good, backs off to half a minute, and recovers', async () => {
    const { clock, transport, reflector, paths } = setUp();
    const refused = failing(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    transport.answer(list('5'), ...Array.from({ length: 200 }, () => refused));
    reflector.start();
    await clock.advance(3_600_000);
    const tries = paths().length;
    expect(tries).toBeGreaterThan(100);
    expect(tries).toBeLessThan(201);
    expect(reflector.lastError).toMatchObject({ mayHaveReachedServer: false });
    while (transport.left > 0) await clock.advance(30_000);
    transport.answer(list('5'), new WatchEnd().answer);
    await clock.advance(30_000);
    expect(reflector.lastError).toBeUndefined();
    reflector.stop();
  });

  it('waits as long as the server asks', async () => {
    const { clock, transport, reflector, paths } = setUp();
    transport.answer(list('5'), refusal(429, 'TooManyRequests', 'x', { 'retry-after': '40' }), new WatchEnd().answer);
    reflector.start();
    await clock.advance(39_999);
    expect(paths().length).toBe(2);
    await clock.advance(1);
    expect(paths().length).toBe(3);
    reflector.stop();
  });

  it('lists what a watch that is not allowed would tell, and watches from there once it is', async () => {
    const { clock, transport, reflector, paths, seen } = setUp();
    const forbidden = refusal(403, 'Forbidden', 'cannot watch resource "pods"');
    const far = new WatchEnd();
    transport.answer(list('5', pod('a', 'Pending', '3')), forbidden);
    transport.answer(list('9', pod('a', 'Running', '8')), forbidden, list('12', pod('a', 'Failed', '11')), far.answer);
    reflector.start();
    await clock.advance(60_000);
    expect(seen()).toEqual([
      'added shop/a Pending',
      'modified shop/a Pending → Running',
      'modified shop/a Running → Failed',
    ]);
    expect(paths()).toEqual([listPath, watchPath('5'), listPath, watchPath('9'), listPath, watchPath('12')]);
    expect(reflector.lastError).toBeUndefined();
    transport.answer(new WatchEnd().answer);
    far.send('BOOKMARK', bookmark('14'));
    far.end();
    await clock.advance(0);
    expect(paths().at(-1)).toBe(watchPath('14'));
    reflector.stop();
  });

  it('knows what there is while lists tell it in place of a watch, and does not while they fail too', async () => {
    const { clock, transport, reflector } = setUp();
    const forbidden = (verb: string) => refusal(403, 'Forbidden', `cannot ${verb} resource "pods"`);
    const allSaid = async () => {
      while (transport.left > 0) await clock.advance(50);
      return [reflector.unreadable, reflector.lastError];
    };
    const refused = { message: 'cannot watch resource "pods"' };
    transport.answer(list('5', pod('a', 'Pending', '3')), forbidden('watch'));
    reflector.start();
    expect(await allSaid()).toMatchObject([refused, refused]);
    transport.answer(list('9', pod('a', 'Running', '8')), forbidden('watch'));
    expect(await allSaid()).toMatchObject([undefined, refused]);
    transport.answer(forbidden('list'), forbidden('watch'));
    expect(await allSaid()).toMatchObject([refused, refused]);
    reflector.stop();
  });

  it('counts a kind as absent that may not be read only when it may not be listed either', async () => {
    const { clock, transport, reflector } = setUp({ optional: true, streamingList: true });
    const forbidden = refusal(403, 'Forbidden', 'not allowed');
    transport.answer(forbidden);
    reflector.start();
    await clock.advance(0);
    expect(reflector.isSynced).toBe(false);
    transport.answer(list('5', pod('a', 'Pending', '3')), forbidden);
    while (transport.left > 0) await clock.advance(50);
    expect([reflector.isSynced, reflector.objects.size]).toEqual([true, 1]);
    reflector.stop();
    const other = setUp({ optional: true, streamingList: true });
    other.transport.answer(forbidden, forbidden, forbidden);
    other.reflector.start();
    while (other.transport.left > 0) await other.clock.advance(50);
    expect([other.reflector.isSynced, other.reflector.objects.size]).toEqual([true, 0]);
    other.reflector.stop();
  });

  it('goes on from the last version where neither a watch nor a list was allowed for a while', async () => {
    const { clock, transport, reflector, paths, seen } = setUp();
    const forbidden = refusal(403, 'Forbidden', 'cannot list resource "pods"');
    transport.answer(list('5', pod('a', 'Pending', '3')), forbidden, forbidden, new WatchEnd().answer);
    reflector.start();
    await clock.advance(60_000);
    expect(paths()).toEqual([listPath, watchPath('5'), listPath, watchPath('5')]);
    expect(seen()).toEqual(['added shop/a Pending']);
    reflector.stop();
  });

  it('reopens a watch that went silent, and loses nothing', async () => {
    const { clock, transport, reflector, paths, seen } = setUp();
    const dead = new WatchEnd();
    const next = new WatchEnd();
    transport.answer(list('5'), dead.answer, list('9'), next.answer);
    reflector.start();
    await clock.advance(100_000);
    dead.send('ADDED', pod('a', 'Pending', '6'));
    await clock.advance(149_999);
    expect(paths().length).toBe(2);
    await clock.advance(1);
    expect(paths()).toEqual([listPath, watchPath('5'), versionPath, watchPath('6')]);
    next.send('ADDED', pod('b', 'Pending', '7'));
    await clock.advance(0);
    expect(seen()).toEqual(['added shop/a Pending', 'added shop/b Pending']);
    reflector.stop();
  });

  it('does not reopen in a hot loop a watch that ends at once', async () => {
    const { clock, transport, reflector, paths } = setUp();
    transport.answer(list('5'));
    for (let i = 0; i < 100; i++) {
      const end = new WatchEnd();
      end.end();
      transport.answer(end.answer);
    }
    reflector.start();
    await clock.advance(60_000);
    expect(paths().length).toBeLessThan(15);
    reflector.stop();
  });

  it('passes over one object that cannot be read, and survives a listener that throws', async () => {
    const project = (raw: Pod) => {
      if (raw.metadata?.name === 'bad') throw new Error('cannot read this');
      return raw.status?.phase ?? '';
    };
    const { clock, transport, reflector, seen } = setUp({ project });
    reflector.onChange(() => {
      throw new Error('a listener’s mistake');
    });
    const far = new WatchEnd();
    transport.answer(list('5', pod('bad', 'x', '1'), pod('a', 'Pending', '2')), far.answer);
    reflector.start();
    await clock.advance(0);
    far.send('MODIFIED', pod('bad', 'y', '6')).send('MODIFIED', pod('a', 'Running', '7'));
    await clock.advance(0);
    expect(seen()).toEqual(['added shop/a Pending', 'modified shop/a Pending → Running']);
    reflector.stop();
  });

  it('stops at once: the watch is closed, nothing more is asked, the map is empty', async () => {
    const { clock, transport, reflector, paths } = setUp();
    transport.answer(list('5', pod('a', 'Pending', '1')), new WatchEnd().answer);
    reflector.start();
    await clock.advance(0);
    const signal = transport.requests[1]?.signal;
    reflector.stop();
    await clock.advance(600_000);
    expect(signal?.aborted).toBe(true);
    expect(paths().length).toBe(2);
    expect(reflector.objects.size).toBe(0);
  });

  it('says nothing more once stopped, with events still in hand', async () => {
    const { clock, transport, reflector, seen } = setUp();
    const far = new WatchEnd();
    transport.answer(list('5', pod('a', 'Pending', '1'), pod('b', 'Pending', '2')), far.answer);
    reflector.onChange(() => reflector.stop());
    reflector.start();
    await clock.advance(0);
    expect(seen()).toEqual(['added shop/a Pending']);
    expect(reflector.objects.size).toBe(0);
    expect(reflector.isSynced).toBe(false);
  });

  it('answers those who wait for the first list when it is stopped before', async () => {
    const { reflector, transport } = setUp();
    transport.answer(refusal(403, 'Forbidden', 'pods is forbidden'));
    reflector.start().stop();
    expect(await reflector.synced).toBe(false);
  });
});

describe('a streaming list', () => {
  it('takes the objects, then the bookmark that ends the list, then changes, in one watch', async () => {
    const { clock, transport, reflector, paths, seen } = setUp({ streamingList: true });
    const far = new WatchEnd();
    transport.answer(far.answer);
    reflector.start();
    far.send('ADDED', pod('a', 'Pending', '3')).send('BOOKMARK', bookmark('3'));
    await clock.advance(0);
    expect(reflector.isSynced).toBe(false);
    far.send('BOOKMARK', bookmark('9', true)).send('MODIFIED', pod('a', 'Running', '10'));
    await clock.advance(0);
    expect(reflector.isSynced).toBe(true);
    expect(seen()).toEqual(['added shop/a Pending', 'modified shop/a Pending → Running']);
    expect(paths()).toEqual([streamPath]);
    reflector.stop();
  });

  it('sees deletions on a relist', async () => {
    const { clock, transport, reflector, seen } = setUp({ streamingList: true });
    const first = new WatchEnd();
    const second = new WatchEnd();
    transport.answer(first.answer, second.answer);
    reflector.start();
    first
      .send('ADDED', pod('a', 'Pending', '3'))
      .send('ADDED', pod('b', 'Pending', '4'))
      .send('BOOKMARK', bookmark('4', true));
    first.send('ERROR', status(410, 'Expired'));
    second.send('ADDED', pod('b', 'Pending', '4')).send('BOOKMARK', bookmark('20', true));
    await clock.advance(0);
    expect(seen()).toEqual(['added shop/a Pending', 'added shop/b Pending', 'deleted shop/a Pending']);
    reflector.stop();
  });

  it.each([
    ['refuses it', refusal(422, 'Invalid', 'sendInitialEvents is forbidden for watch'), 0],
    ['knows nothing of it', new WatchEnd().send('ADDED', pod('a', 'Pending', '3')).answer, 15_000],
  ])('falls back to pages, for good, on a server that %s', async (_, answer, afterMs) => {
    const { clock, transport, reflector, paths, seen } = setUp({ streamingList: true });
    transport.answer(
      answer,
      list('5', pod('a', 'Pending', '3')),
      refusal(410, 'Expired', 'x'),
      list('6'),
      new WatchEnd().answer,
    );
    reflector.start();
    await clock.advance(afterMs);
    expect(paths()).toEqual([streamPath, listPath, watchPath('5'), listPath, watchPath('6')]);
    expect(seen()).toEqual(['added shop/a Pending', 'deleted shop/a Pending']);
    reflector.stop();
  });

  it('is asked for in pages while watches are not allowed, and as a stream again afterwards', async () => {
    const { clock, transport, reflector, paths } = setUp({ streamingList: true });
    const far = new WatchEnd();
    const forbidden = refusal(403, 'Forbidden', 'cannot watch resource "pods"');
    transport.answer(forbidden, list('5', pod('a', 'Pending', '3')), forbidden, list('6'), far.answer);
    reflector.start();
    await clock.advance(60_000);
    expect(reflector.isSynced).toBe(true);
    expect(paths()).toEqual([streamPath, listPath, watchPath('5'), listPath, watchPath('6')]);
    transport.answer(new WatchEnd().answer);
    far.send('ERROR', status(410, 'Expired'));
    await clock.advance(5_000);
    expect(paths().at(-1)).toBe(streamPath);
    reflector.stop();
  });

  it('deletes nothing when it broke off before its end', async () => {
    const { clock, transport, reflector, seen } = setUp({ streamingList: true });
    const [first, second, third] = [new WatchEnd(), new WatchEnd(), new WatchEnd()];
    transport.answer(first.answer, second.answer, third.answer);
    reflector.start();
    first
      .send('ADDED', pod('a', 'Pending', '3'))
      .send('ADDED', pod('b', 'Pending', '4'))
      .send('BOOKMARK', bookmark('4', true));
    first.send('ERROR', status(410, 'Expired'));
    second.send('ADDED', pod('a', 'Running', '9'));
    second.end();
    await clock.advance(2_000);
    expect(seen()).toEqual(['added shop/a Pending', 'added shop/b Pending', 'modified shop/a Pending → Running']);
    expect(transport.left).toBe(0);
    reflector.stop();
  });
});

describe('a kind that may not exist', () => {
  it('counts as empty, and is looked at again in five minutes', async () => {
    const { clock, transport, reflector, paths, seen } = setUp({ optional: true });
    const absent = refusal(404, 'NotFound', 'the server could not find the requested resource');
    transport.answer(absent, list('5', pod('a', 'Pending', '3')), new WatchEnd().answer);
    reflector.start();
    await clock.advance(0);
    expect(reflector.isSynced).toBe(true);
    await clock.advance(300_000);
    expect(seen()).toEqual(['added shop/a Pending']);
    expect(paths().length).toBe(3);
    reflector.stop();
  });
});
