import { expect } from 'vitest';
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

export const externalWakeRows: readonly Row[] = [
  {
    keys: ['externalWake.quotas.maxConcurrentWakes'],
    seen: 'which session is refused because too many are held',
    start: clusters(['held-1', 'held-2', 'held-3', 'held-4'], { quotas: { maxConcurrentWakes: 2 } }),
    reload: clusters(['held-1', 'held-2', 'held-3', 'held-4'], { quotas: { maxConcurrentWakes: 3 } }),
    async look(looking) {
      const room = looking.moment === 'start' ? 2 : 3;
      const answers: WakeAnswer[] = [];
      for (let index = 1; index <= room + 1; index++) answers.push(await ask(looking, `held-${index}`));
      expect(answers.map(({ code }) => code)).toEqual([...Array(room).fill('taken'), 'quota_exceeded']);
      expect(quotaOf(answers.at(-1)!)).toBe('maxConcurrentWakes');
      for (let index = 1; index <= room; index++) await ask(looking, `held-${index}`, { method: 'DELETE' });
    },
  },
  {
    keys: ['externalWake.quotas.maxWakeDuration'],
    seen: 'how long a session lasts at most',
    start: clusters(['long'], { quotas: { maxWakeDuration: '2h' } }),
    reload: clusters(['long'], { quotas: { maxWakeDuration: '3h' } }),
    async look(looking) {
      const { body } = await ask(looking, 'long', { body: { duration: '9h' } });
      const { startedAt, expiresAt } = body['session'] as { startedAt: string; expiresAt: string };
      expect((Date.parse(expiresAt) - Date.parse(startedAt)) / 3_600_000).toBe(looking.moment === 'start' ? 2 : 3);
      await ask(looking, 'long', { method: 'DELETE' });
    },
  },
  {
    keys: ['externalWake.clusters[].name'],
    seen: 'whose signed requests are taken',
    start: clusters(['first']),
    reload: clusters(['second']),
    async look(looking) {
      const seen = await codes([ask(looking, 'first'), ask(looking, 'second')]);
      const bad = 'signature_invalid';
      expect(seen).toEqual(looking.moment === 'start' ? ['taken', bad] : [bad, 'taken']);
      await ask(looking, looking.moment === 'start' ? 'first' : 'second', { method: 'DELETE' });
    },
  },
  {
    keys: ['externalWake.clusters[].secretRef.name', 'externalWake.clusters[].secretRef.key'],
    seen: 'with which of four keys a request must be signed',
    start: { externalWake: { clusters: [{ name: 'keyed', secretRef: { name: 'keys-a', key: 'one' } }] } },
    reload: { externalWake: { clusters: [{ name: 'keyed', secretRef: { name: 'keys-b', key: 'two' } }] } },
    async look(looking) {
      const places = [
        ['keys-a', 'one'],
        ['keys-a', 'two'],
        ['keys-b', 'one'],
        ['keys-b', 'two'],
      ] as const;
      const seen = await codes(places.map(([name, key]) => ask(looking, 'keyed', { key: keyText(name, key) })));
      const good = looking.moment === 'start' ? 0 : 3;
      const [name, key] = places[good];
      expect(seen).toEqual(places.map((_, index) => (index === good ? 'taken' : 'signature_invalid')));
      await ask(looking, 'keyed', { method: 'DELETE', key: keyText(name, key) });
    },
  },
  {
    keys: [
      'externalWake.clusters[].resources[].namespace',
      'externalWake.clusters[].resources[].type',
      'externalWake.clusters[].resources[].name',
    ],
    seen: 'which resources a cluster may name',
    start: {
      externalWake: {
        clusters: [{ name: 'limited', secretRef, resources: [{ namespace: 'n1', type: 'Deployment', name: 'a*' }] }],
      },
    },
    reload: {
      externalWake: {
        clusters: [{ name: 'limited', secretRef, resources: [{ namespace: 'n2', type: 'StatefulSet', name: 'b*' }] }],
      },
    },
    async look(looking) {
      const [good, other] =
        looking.moment === 'start'
          ? [
              { namespace: 'n1', type: 'Deployment', name: 'a1' },
              { namespace: 'n2', type: 'StatefulSet', name: 'b1' },
            ]
          : [
              { namespace: 'n2', type: 'StatefulSet', name: 'b1' },
              { namespace: 'n1', type: 'Deployment', name: 'a1' },
            ];
      const asks = [
        good,
        { ...good, namespace: other.namespace },
        { ...good, type: other.type },
        { ...good, name: other.name },
      ];
      const seen = await codes(asks.map((target) => ask(looking, 'limited', { body: { resources: [target] } })));
      expect(seen).toEqual(['taken', 'forbidden', 'forbidden', 'forbidden']);
      await ask(looking, 'limited', { method: 'DELETE' });
    },
  },
  {
    keys: ['externalWake.excludedNamespaces'],
    seen: 'a namespace that no cluster may name',
    start: clusters(['free'], { excludedNamespaces: ['closed-first-*'] }),
    reload: clusters(['free'], { excludedNamespaces: ['closed-second-*'] }),
    async look(looking) {
      const wake = (namespace: string) => ask(looking, 'free', { body: { resources: [{ namespace }] } });
      const seen = [(await wake('closed-first-a')).code, (await wake('closed-second-a')).code];
      expect(seen.map((code) => code === 'taken')).toEqual(looking.moment === 'start' ? [false, true] : [true, false]);
      await ask(looking, 'free', { method: 'DELETE' });
    },
  },
  {
    keys: ['externalWake.localClusterName'],
    seen: 'a request that means another cluster is refused',
    start: clusters(['meant'], { localClusterName: 'hub-first' }),
    reload: clusters(['meant'], { localClusterName: 'hub-second' }),
    async look(looking) {
      const wake = (host: string) => ask(looking, 'meant', { body: { host } });
      const seen = [(await wake('hub-first')).code, (await wake('hub-second')).code];
      const refused = 'invalid_request';
      expect(seen).toEqual(looking.moment === 'start' ? ['taken', refused] : [refused, 'taken']);
      await ask(looking, 'meant', { method: 'DELETE' });
    },
  },
  {
    keys: ['internalUrl'],
    seen: 'a request that is signed for the second own address is taken',
    start: { internalUrl: 'https://in-first.example.com', ...clusters(['inside']) },
    reload: { internalUrl: 'https://in.second.example.com', ...clusters(['inside']) },
    async look(looking) {
      const wake = (host: string) => ask(looking, 'inside', { ownUrl: `https://${host}.example.com` });
      const seen = [(await wake('in-first')).code, (await wake('in.second')).code];
      const bad = 'signature_invalid';
      expect(seen).toEqual(looking.moment === 'start' ? ['taken', bad] : [bad, 'taken']);
      await ask(looking, 'inside', { method: 'DELETE' });
    },
  },
  {
    keys: ['externalWake.quotas.maxWakesPerHour'],
    seen: 'which session is refused because too many began in an hour',
    start: clusters(['many'], { quotas: { maxWakesPerHour: 14 } }),
    reload: clusters(['many'], { quotas: { maxWakesPerHour: 30 } }),
    async look(looking) {
      const most = looking.moment === 'start' ? 14 : 30;
      expect(begun).toBeLessThan(most);
      while (begun < most) {
        expect((await ask(looking, 'many')).code).toBe('taken');
        await ask(looking, 'many', { method: 'DELETE' });
      }
      const over = await ask(looking, 'many');
      expect([over.code, quotaOf(over)]).toEqual(['quota_exceeded', 'maxWakesPerHour']);
    },
  },
  {
    keys: ['externalWake.enabled'],
    seen: 'whether requests of other clusters are answered at all',
    start: { externalWake: { enabled: true } },
    reload: 'own',
    async look(looking) {
      // An end needs no room in any quota.
      const end = async () => (await ask(looking, 'many', { method: 'DELETE' })).code;
      if (looking.moment === 'start') return expect(await end()).toBe('taken');
      await looking.service.with({ externalWake: { enabled: false } }, async () => {
        expect(await end()).toBe('feature_disabled');
      });
    },
  },
];
