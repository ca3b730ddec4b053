import { beforeEach, describe, expect, it } from 'vitest';
import { arrayOf, valueAt } from '../store/json-value.ts';
import { EmbeddedApi } from './embedded-api.ts';
import { configMap, EmbeddedApiFixture, MERGE, seededRandom } from './embedded-api-fixture.ts';

const PATH = '/api/v1/namespaces/default/configmaps';

describe('lists', () => {
  let fixture: EmbeddedApiFixture;

  beforeEach(async () => {
    fixture = new EmbeddedApiFixture();
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await fixture.ask('POST', PATH, configMap(name, { name, even: name === 'b' ? 'yes' : 'no' }));
  });

  const names = (body: unknown) => arrayOf(valueAt(body, 'items')).map((item) => valueAt(item, 'metadata', 'name'));
  const token = (body: unknown) => encodeURIComponent(String(valueAt(body, 'metadata', 'continue')));

  it('leave kind and apiVersion out of the items of built-in kinds', async () => {
    const { body } = await fixture.ask('GET', PATH);
    expect([body['kind'], body['apiVersion']]).toEqual(['ConfigMapList', 'v1']);
    expect(Object.keys(arrayOf(body['items'])[0] as object)).toEqual(['metadata', 'data']);
  });

  it('come in pages that all show the state of the first', async () => {
    const first = await fixture.ask('GET', `${PATH}?limit=2`);
    expect([names(first.body), valueAt(first.body, 'metadata', 'remainingItemCount')]).toEqual([['a', 'b'], 3]);
    await fixture.ask('POST', PATH, configMap('c2'));
    await fixture.ask('DELETE', `${PATH}/d`);
    const second = await fixture.ask('GET', `${PATH}?limit=2&continue=${token(first.body)}`);
    expect(names(second.body)).toEqual(['c', 'd']);
    expect(valueAt(second.body, 'metadata', 'resourceVersion')).toBe(
      valueAt(first.body, 'metadata', 'resourceVersion'),
    );
    const third = await fixture.ask('GET', `${PATH}?limit=2&continue=${token(second.body)}`);
    expect([names(third.body), valueAt(third.body, 'metadata', 'continue')]).toEqual([['e'], undefined]);
  });

  it('refuse a continue token that is too old, and offer one that goes on regardless', async () => {
    const first = await fixture.ask('GET', `${PATH}?limit=2`);
    await fixture.ask('DELETE', `${PATH}/d`);
    fixture.store.compact();
    const refused = await fixture.ask('GET', `${PATH}?limit=2&continue=${token(first.body)}`);
    expect([refused.status, refused.body['reason']]).toEqual([410, 'Expired']);
    expect(refused.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\. You can start/,
    );
    const rest = await fixture.ask('GET', `${PATH}?continue=${token(refused.body)}`);
    expect(names(rest.body)).toEqual(['c', 'e']);
  });

  const selections: Record<string, [selector: string, expected: readonly string[]]> = {
    equality: ['labelSelector=name%3Da', ['a']],
    inequality: ['labelSelector=even!%3Dyes', ['a', 'c', 'd', 'e']],
    'a set': ['labelSelector=name+in+(a,b),even+notin+(yes)', ['a']],
    existence: ['labelSelector=name,!other', ['a', 'b', 'c', 'd', 'e']],
    'the name': ['fieldSelector=metadata.name%3Dc', ['c']],
    'not the name': ['fieldSelector=metadata.name!%3Dc', ['a', 'b', 'd', 'e']],
  };
  it.each(Object.entries(selections))('select by %s', async (_, [selector, expected]) => {
    expect(names((await fixture.ask('GET', `${PATH}?${selector}`)).body)).toEqual(expected);
  });

  it('show an exact version, and 410 once it is forgotten', async () => {
    const version = fixture.store.version;
    await fixture.ask('DELETE', `${PATH}/a`);
    const exact = `${PATH}?resourceVersion=${version}&resourceVersionMatch=Exact`;
    expect(names((await fixture.ask('GET', exact)).body)).toEqual(['a', 'b', 'c', 'd', 'e']);
    fixture.store.compact();
    expect((await fixture.ask('GET', exact)).status).toBe(410);
  });
});

describe('watches', () => {
  let fixture: EmbeddedApiFixture;

  beforeEach(() => {
    fixture = new EmbeddedApiFixture();
  });

  const add = (name: string, labels = {}) => fixture.ask('POST', PATH, configMap(name, labels));
  const label = (name: string, on: string | null) =>
    fixture.ask('PATCH', `${PATH}/${name}`, { metadata: { labels: { on } } }, MERGE);

  it('begin with what is there when no version is named', async () => {
    await add('a');
    const watch = await fixture.watch(`${PATH}?watch=true`);
    await add('b');
    expect(await watch.take(2)).toEqual(['ADDED a', 'ADDED b']);
  });

  it('resume after a version without a gap or a repetition', async () => {
    await add('a');
    const version = fixture.store.version;
    await add('b');
    const watch = await fixture.watch(`${PATH}?watch=true&resourceVersion=${version}`);
    await label('b', 'yes');
    await fixture.ask('DELETE', `${PATH}/a`);
    expect(await watch.take(3)).toEqual(['ADDED b', 'MODIFIED b', 'DELETED a']);
  });

  it('tell of a version that is too old inside the stream, with status 200', async () => {
    await add('a');
    await add('b');
    fixture.store.compact();
    const watch = await fixture.watch(`${PATH}?watch=true&resourceVersion=1`);
    const event = await watch.next();
    expect([event?.type, event?.object['code'], event?.object['reason'], event?.object['message']]).toEqual([
      'ERROR',
      410,
      'Expired',
      `too old resource version: 1 (${fixture.store.version})`,
    ]);
    expect(await watch.next()).toBeUndefined();
  });

  it('add what comes into the selection and delete what leaves it', async () => {
    await add('a');
    const watch = await fixture.watch(
      `${PATH}?watch=true&labelSelector=on%3Dyes&resourceVersion=${fixture.store.version}`,
    );
    await label('a', 'yes');
    await fixture.ask('PATCH', `${PATH}/a`, { data: { k: 'v' } }, MERGE);
    await label('a', null);
    await label('a', 'no');
    await label('a', 'yes');
    expect(await watch.take(4)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a']);
  });

  it('follow one name by field selector', async () => {
    const watch = await fixture.watch(`${PATH}?watch=true&fieldSelector=metadata.name%3Db`);
    await add('a');
    await add('b');
    expect(await watch.take(1)).toEqual(['ADDED b']);
  });

  it('stream the list first and mark its end', async () => {
    await add('a');
    const options = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await fixture.watch(`${PATH}?watch=true&${options}`);
    expect(await watch.take(1)).toEqual(['ADDED a']);
    const mark = await watch.next();
    expect([mark?.type, valueAt(mark?.object, 'metadata')]).toEqual([
      'BOOKMARK',
      { resourceVersion: String(fixture.store.version), annotations: { 'k8s.io/initial-events-end': 'true' } },
    ]);
  });

  it('refuse to stream the list where the cluster has no such feature', async () => {
    const old = new EmbeddedApi({
      store: fixture.store,
      clock: fixture.clock,
      random: seededRandom(),
      streamingLists: false,
    });
    const options = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const answer = await old.transport().send({ method: 'GET', path: `${PATH}?watch=true&${options}`, headers: {} });
    expect(answer.status).toBe(422);
  });

  it('send a bookmark every minute and one before they time out', async () => {
    const watch = await fixture.watch(
      `${PATH}?watch=true&allowWatchBookmarks=true&resourceVersion=1&timeoutSeconds=90`,
    );
    await fixture.clock.advance(100_000);
    const events = await watch.take(3);
    expect(events).toEqual(['BOOKMARK', 'BOOKMARK', 'END']);
  });

  it('end with the reader, and leave no timer behind', async () => {
    const controller = new AbortController();
    const watch = await fixture.watch(`${PATH}?watch=true&allowWatchBookmarks=true`, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(watch.next()).rejects.toThrow('enough');
    expect(fixture.api.faults.openWatches()).toEqual([]);
    expect(await fixture.clock.step()).toBe(false);
  });
});
