import type { RecordedRequest } from '../../support/recording-server.ts';
import { isSignedWith } from '../harness/is-signed-with.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { signedWake, type WakeAnswer } from '../harness/signed-wake.ts';

/** 32 bytes of text each, so that they are keys as they stand. */
export const keyText = (secret: string, key: string) => `${secret}-${key}-`.padEnd(40, '0123456789');

const secrets = ['keys-a', 'keys-b'].map((name) => ({
  name,
  keys: { one: keyText(name, 'one'), two: keyText(name, 'two') },
}));

/** Values of the chart that make the Secrets of these rows. */
export const wakeSecrets = { externalWakeSecrets: { create: true, secrets } };

/** With which of them a request is signed, as `keys-a one`. */
export async function keysThatSigned(request: RecordedRequest): Promise<readonly string[]> {
  const all = secrets.flatMap(({ name, keys }) =>
    Object.entries(keys).map(([key, text]) => ({ key: `${name} ${key}`, text })),
  );
  const good = await Promise.all(all.map(({ text }) => isSignedWith(request, text)));
  return all.flatMap(({ key }, index) => (good[index] === true ? [key] : []));
}

export const secretRef = { name: 'keys-a', key: 'one' };
/** Clusters that may ask, and what else of `externalWake` a row sets. */
const clusters = (names: readonly string[], more: object = {}) => ({
  externalWake: { ...more, clusters: names.map((name) => ({ name, secretRef })) },
});

/** How many sessions began in this life of the process. */
let begun = 0;

async function ask(
  { service }: Looking,
  cluster: string,
  more: { readonly body?: object; readonly key?: string; readonly ownUrl?: string; readonly method?: 'DELETE' } = {},
): Promise<WakeAnswer> {
  const answer = await signedWake({
    apiUrl: service.apiUrl,
    ownUrl: String(service.config['externalUrl']),
    cluster,
    key: keyText('keys-a', 'one'),
    ...more,
  });
  if (answer.code === 'taken' && more.method === undefined && answer.body['renewed'] === false) begun++;
  return answer;
}

const codes = async (answers: readonly Promise<WakeAnswer>[]) => (await Promise.all(answers)).map(({ code }) => code);
const quotaOf = ({ body }: WakeAnswer) => (body['details'] as { readonly quota?: string } | undefined)?.quota;

/** Which of the two is taken, at the start and after the reload. */
const firstThenSecond = (refused: string) => ({ start: ['taken', refused], reload: [refused, 'taken'] });

/** What a cluster may name: one entry of the configuration, and what is asked under it. */
const limits = {
  start: { namespace: 'n1', type: 'Deployment', name: 'a' },
  reload: { namespace: 'n2', type: 'StatefulSet', name: 'b' },
} as const;
const limited = ({ namespace, type, name }: (typeof limits)[keyof typeof limits]) => ({
  externalWake: { clusters: [{ name: 'limited', secretRef, resources: [{ namespace, type, name: `${name}*` }] }] },
});

export const externalWakeRows: readonly Row[] = [
  {
    keys: { 'externalWake.quotas.maxConcurrentWakes': { start: 2, reload: 3 } },
    in: 'api',
    seen: 'which session is refused because too many are held',
    start: clusters(['held-1', 'held-2', 'held-3', 'held-4'], { quotas: { maxConcurrentWakes: 2 } }),
    reload: clusters(['held-1', 'held-2', 'held-3', 'held-4'], { quotas: { maxConcurrentWakes: 3 } }),
    async see(looking) {
      const answers: WakeAnswer[] = [];
      do answers.push(await ask(looking, `held-${answers.length + 1}`));
      while (answers.at(-1)!.code === 'taken' && answers.length < 4);
      for (const index of answers.keys()) await ask(looking, `held-${index + 1}`, { method: 'DELETE' });
      const limit = quotaOf(answers.at(-1)!) === 'maxConcurrentWakes';
      return { 'externalWake.quotas.maxConcurrentWakes': limit ? answers.length - 1 : 'no limit' };
    },
  },
  {
    keys: { 'externalWake.quotas.maxWakeDuration': { start: 2, reload: 3 } },
    in: 'api',
    seen: 'how long a session lasts at most',
    start: clusters(['long'], { quotas: { maxWakeDuration: '2h' } }),
    reload: clusters(['long'], { quotas: { maxWakeDuration: '3h' } }),
    async see(looking) {
      const { body } = await ask(looking, 'long', { body: { duration: '9h' } });
      const { startedAt, expiresAt } = body['session'] as { startedAt: string; expiresAt: string };
      await ask(looking, 'long', { method: 'DELETE' });
      return {
        'externalWake.quotas.maxWakeDuration': (Date.parse(expiresAt) - Date.parse(startedAt)) / 3_600_000,
      };
    },
  },
  {
    keys: { 'externalWake.clusters[].name': firstThenSecond('signature_invalid') },
    in: 'api',
    seen: 'whose signed requests are taken',
    start: clusters(['first']),
    reload: clusters(['second']),
    async see(looking) {
      const names = ['first', 'second'];
      const seen = await codes(names.map((name) => ask(looking, name)));
      for (const name of names) await ask(looking, name, { method: 'DELETE' });
      return { 'externalWake.clusters[].name': seen };
    },
  },
  {
    keys: {
      'externalWake.clusters[].secretRef.name': { start: ['keys-a'], reload: ['keys-b'] },
      'externalWake.clusters[].secretRef.key': { start: ['one'], reload: ['two'] },
    },
    in: 'api',
    seen: 'with which of four keys a request must be signed',
    start: { externalWake: { clusters: [{ name: 'keyed', secretRef: { name: 'keys-a', key: 'one' } }] } },
    reload: { externalWake: { clusters: [{ name: 'keyed', secretRef: { name: 'keys-b', key: 'two' } }] } },
    async see(looking) {
      const places = [
        ['keys-a', 'one'],
        ['keys-a', 'two'],
        ['keys-b', 'one'],
        ['keys-b', 'two'],
      ] as const;
      const seen = await codes(places.map(([name, key]) => ask(looking, 'keyed', { key: keyText(name, key) })));
      const good = places.filter((_, index) => seen[index] === 'taken');
      for (const [name, key] of good) await ask(looking, 'keyed', { method: 'DELETE', key: keyText(name, key) });
      return {
        'externalWake.clusters[].secretRef.name': good.map(([name]) => name),
        'externalWake.clusters[].secretRef.key': good.map(([, key]) => key),
      };
    },
  },
  {
    keys: {
      'externalWake.clusters[].resources[].namespace': firstThenSecond('forbidden'),
      'externalWake.clusters[].resources[].type': firstThenSecond('forbidden'),
      'externalWake.clusters[].resources[].name': firstThenSecond('forbidden'),
    },
    in: 'api',
    seen: 'which resources a cluster may name',
    start: limited(limits.start),
    reload: limited(limits.reload),
    async see(looking) {
      const good = limits[looking.moment];
      const ways = Object.values(limits);
      // What is allowed now, but for one part of it.
      const of = async (part: keyof typeof good) => {
        const asked = ways.map((way) => ({ ...good, [part]: way[part] }));
        return codes(asked.map((target) => ask(looking, 'limited', { body: { resources: [target] } })));
      };
      const seen = {
        'externalWake.clusters[].resources[].namespace': await of('namespace'),
        'externalWake.clusters[].resources[].type': await of('type'),
        'externalWake.clusters[].resources[].name': await of('name'),
      };
      await ask(looking, 'limited', { method: 'DELETE' });
      return seen;
    },
  },
  {
    keys: { 'externalWake.excludedNamespaces': { start: [false, true], reload: [true, false] } },
    in: 'api',
    seen: 'a namespace that no cluster may name',
    start: clusters(['free'], { excludedNamespaces: ['closed-first-*'] }),
    reload: clusters(['free'], { excludedNamespaces: ['closed-second-*'] }),
    async see(looking) {
      const wake = (namespace: string) => ask(looking, 'free', { body: { resources: [{ namespace }] } });
      const seen = [(await wake('closed-first-a')).code, (await wake('closed-second-a')).code];
      await ask(looking, 'free', { method: 'DELETE' });
      return { 'externalWake.excludedNamespaces': seen.map((code) => code === 'taken') };
    },
  },
  {
    keys: { 'externalWake.localClusterName': firstThenSecond('invalid_request') },
    in: 'api',
    seen: 'a request that means another cluster is refused',
    start: clusters(['meant'], { localClusterName: 'hub-first' }),
    reload: clusters(['meant'], { localClusterName: 'hub-second' }),
    async see(looking) {
      const wake = (host: string) => ask(looking, 'meant', { body: { host } });
      const seen = [(await wake('hub-first')).code, (await wake('hub-second')).code];
      await ask(looking, 'meant', { method: 'DELETE' });
      return { 'externalWake.localClusterName': seen };
    },
  },
  {
    keys: { internalUrl: firstThenSecond('signature_invalid') },
    in: 'api',
    seen: 'a request that is signed for the second own address is taken',
    start: { internalUrl: 'https://in-first.example.com', ...clusters(['inside']) },
    reload: { internalUrl: 'https://in.second.example.com', ...clusters(['inside']) },
    async see(looking) {
      const wake = (host: string) => ask(looking, 'inside', { ownUrl: `https://${host}.example.com` });
      const seen = [(await wake('in-first')).code, (await wake('in.second')).code];
      await ask(looking, 'inside', { method: 'DELETE' });
      return { internalUrl: seen };
    },
  },
  {
    keys: { 'externalWake.quotas.maxWakesPerHour': { start: 14, reload: 30 } },
    in: 'api',
    seen: 'which session is refused because too many began in an hour',
    start: clusters(['many'], { quotas: { maxWakesPerHour: 14 } }),
    reload: clusters(['many'], { quotas: { maxWakesPerHour: 30 } }),
    async see(looking) {
      let last = await ask(looking, 'many');
      while (last.code === 'taken' && begun <= 30) {
        await ask(looking, 'many', { method: 'DELETE' });
        last = await ask(looking, 'many');
      }
      const limit = quotaOf(last) === 'maxWakesPerHour';
      return { 'externalWake.quotas.maxWakesPerHour': limit ? begun : 'no limit' };
    },
  },
  {
    keys: { 'externalWake.enabled': { start: 'taken', reload: 'feature_disabled' } },
    in: 'api',
    seen: 'whether requests of other clusters are answered at all',
    start: { externalWake: { enabled: true } },
    reload: { alone: { externalWake: { enabled: false } } },
    // An end needs no room in any quota.
    see: async (looking) => ({ 'externalWake.enabled': (await ask(looking, 'many', { method: 'DELETE' })).code }),
  },
];
