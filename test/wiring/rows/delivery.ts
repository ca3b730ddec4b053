import { expect } from 'vitest';
import { eventKeys } from '../../../src/domain/notification/event-keys.ts';
import { everyDay } from '../harness/hours.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { signedWake } from '../harness/signed-wake.ts';
import { until } from '../harness/until.ts';
import type { Moment } from '../tables/evidence.ts';
import { keysThatSigned, keyText, secretRef } from './external-wake.ts';
import { admin } from './sign-in.ts';

// How cards are sent, whatever they tell of. One thing is done again and again: other hours are set for a date, and the
// card names the date.

const day = 86_400_000;
const chats = ['teams', 'slack', 'webhook'] as const;
type Chat = (typeof chats)[number];

interface Hook {
  readonly name?: string;
  readonly url: string;
  readonly events?: Config;
  readonly secretRef?: Readonly<Record<'name' | 'key', string>>;
}

/** What a row adds to the destinations of a channel. */
const channel = (name: Chat, webhooks: readonly Hook[]): Config => {
  const hooks = name === 'webhook' ? webhooks.map((hook) => ({ secretRef, ...hook })) : webhooks;
  return { notifications: { channels: { [name]: { enabled: true, webhooks: hooks } } } };
};
const mails = (addresses: readonly string[]): Config => ({
  notifications: { channels: { email: { enabled: true, recipients: addresses.map((address) => ({ address })) } } },
});
const only = (key: string) => Object.fromEntries(eventKeys.map((one) => [one, one === key]));
const at = (moment: Moment) => (moment === 'start' ? 'first' : 'second');
const startUrl = (path: string) => `http://hooks.test/${path}/first`;
const reloadUrl = (path: string) => `http://hooks.test/${path}/second`;

let dates = 0;

/** Does what a card is sent of, and answers the words by which the card is known. */
async function tell({ service }: Looking): Promise<string> {
  const date = new Date(Date.now() + (30 + ++dates) * day).toISOString().slice(0, 10);
  await (await service.as(admin)).setScheduleOverride({ params: { date }, body: { hours: 'on' } });
  return date;
}

const cardAt = ({ outside }: Looking, url: string, words: string) =>
  outside.internet.requests.find((request) => request.url === url && request.body.includes(words));
const came = (looking: Looking, url: string, words: string) => cardAt(looking, url, words) !== undefined;
const mailCame = ({ outside }: Looking, address: string, words: string) =>
  outside.mailsTo(address).some(({ mail }) => (mail.text ?? '').includes(words));

/** What the web app shows of a destination. */
async function deliveriesTo({ service }: Looking, destination: string) {
  const { items } = await (await service.as(admin)).notificationDeliveries();
  return items.filter((one) => one.destination === destination);
}

/** Something that turns cards on, by how they come, and not while it is off. */
function switchRow(key: string, arrives: (looking: Looking, words: string) => boolean): Row {
  return {
    keys: [key],
    seen: 'whether cards are sent',
    start: {},
    reload: 'own',
    async look(looking) {
      const { service } = looking;
      const on = async () => {
        const words = await tell(looking);
        await until(`a card of ${words}`, () => arrives(looking, words));
      };
      await on();
      if (looking.moment === 'start') return;
      const off = key.split('.').reduceRight<unknown>((value, part) => ({ [part]: value }), false) as Config;
      const words = await service.with(off, async () => {
        const from = service.log.controller.length;
        const told = await tell(looking);
        await service.says('controller', (line) => line.msg === 'Audit' && JSON.stringify(line).includes(told), from);
        return told;
      });
      await on();
      expect(arrives(looking, words)).toBe(false);
    },
  };
}

const urlRow = (name: Chat): Row => ({
  keys: [`notifications.channels.${name}.webhooks[].url`],
  seen: 'where the card arrives',
  start: channel(name, [{ url: startUrl(`${name}-url`) }]),
  reload: channel(name, [{ url: reloadUrl(`${name}-url`) }]),
  async look(looking) {
    const words = await tell(looking);
    const urls = [startUrl(`${name}-url`), reloadUrl(`${name}-url`)];
    const [here, there] = looking.moment === 'start' ? urls : urls.toReversed();
    await until(`the card of ${words} at ${here}`, () => came(looking, here!, words));
    expect(came(looking, there!, words)).toBe(false);
  },
});

const nameRow = (name: Chat): Row => ({
  keys: [`notifications.channels.${name}.webhooks[].name`],
  seen: 'how the list of deliveries calls the destination',
  start: channel(name, [{ name: `${name}-first`, url: startUrl(`${name}-name`) }]),
  reload: channel(name, [{ name: `${name}-second`, url: startUrl(`${name}-name`) }]),
  async look(looking) {
    const since = Date.now();
    await tell(looking);
    const newest = async (which: string) =>
      (await deliveriesTo(looking, `${name}-${which}`)).find((one) => Date.parse(one.at) >= since - 1);
    const [here, there] = looking.moment === 'start' ? ['first', 'second'] : ['second', 'first'];
    await until('the delivery under its name', () => newest(here!));
    expect(await newest(there!)).toBeUndefined();
  },
});

/** The address stays; another Secret, or another key of it, signs. */
const secretRow = (part: 'name' | 'key', first: Hook['secretRef'], second: Hook['secretRef']): Row => {
  const url = startUrl(`signed-by-${part}`);
  return {
    keys: [`notifications.channels.webhook.webhooks[].secretRef.${part}`],
    seen: 'the key that the card is signed with',
    start: channel('webhook', [{ url, ...(first && { secretRef: first }) }]),
    reload: channel('webhook', [{ url, ...(second && { secretRef: second }) }]),
    async look(looking) {
      const words = await tell(looking);
      const request = await until(`the card of ${words}`, () => cardAt(looking, url, words));
      const ref = looking.moment === 'start' ? first : second;
      expect(await keysThatSigned(request)).toEqual([`${ref!.name} ${ref!.key}`]);
    },
  };
};

const retries = {
  start: { backoffSeconds: 3, maxAttempts: 2, timeoutSeconds: 1 },
  reload: { backoffSeconds: 1, maxAttempts: 3, timeoutSeconds: 2 },
} as const;
/** When the destinations that never take anything were tried. */
const triedAt = new Map<string, number[]>();

/** Two destinations that are told of other clusters' wakes alone: one refuses, one does not answer. */
const failing = (moment: Moment): Config => ({
  notifications: {
    retry: retries[moment],
    ...(channel('webhook', [
      { name: `refuses-${at(moment)}`, url: `http://refuses.test/${at(moment)}`, events: only('externalWakeStarted') },
      { name: `silent-${at(moment)}`, url: `http://silent.test/${at(moment)}`, events: only('externalWakeStarted') },
    ])['notifications'] as Config),
  },
});

const retryRow: Row = {
  keys: ['notifications.retry.backoffSeconds', 'notifications.retry.maxAttempts', 'notifications.retry.timeoutSeconds'],
  seen: 'how often, and when, a destination that fails is tried again',
  start: failing('start'),
  reload: failing('reload'),
  async look(looking) {
    const { backoffSeconds, maxAttempts, timeoutSeconds } = retries[looking.moment];
    const which = at(looking.moment);
    expect(await wake(looking, 'retried', '10m')).toBe('taken');
    const failed = (name: string) =>
      until(`the delivery to ${name} is given up`, async () =>
        (await deliveriesTo(looking, `${name}-${which}`)).find(({ outcome }) => outcome === 'failed'),
      );
    expect(await failed('refuses')).toMatchObject({ attempts: maxAttempts, error: 'the destination answered 500' });
    const error = `no answer within ${timeoutSeconds} s`;
    expect(await failed('silent')).toMatchObject({ attempts: maxAttempts, error });
    const [one = 0, two = 0] = triedAt.get(`/${which}`) ?? [];
    expect(triedAt.get(`/${which}`)).toHaveLength(maxAttempts);
    // Three seconds at the start, one after the reload.
    expect(Math.abs((two - one) / 1000 - backoffSeconds)).toBeLessThan(0.9);
    await endWake(looking, 'retried');
  },
};

const stuck = (moment: Moment, bufferSize: number): Config => {
  const hook = { name: `stuck-${at(moment)}`, url: `http://silent.test/stuck/${at(moment)}` };
  const { channels } = channel('webhook', [{ ...hook, events: only('scheduleOverride') }])['notifications'] as Config;
  return { notifications: { queue: { bufferSize }, channels } };
};

/** Has to be the first: every other card would wait for that destination too. */
const queueRow: Row = {
  keys: ['notifications.queue.bufferSize'],
  seen: 'how many cards wait for a destination that does not answer',
  start: stuck('start', 2),
  reload: stuck('reload', 3),
  async look(looking) {
    const { service, moment } = looking;
    const from = service.log.controller.length;
    const told: string[] = [];
    for (let index = 0; index < 6; index++) told.push(await tell(looking));
    await service.says('controller', (line) => JSON.stringify(line).includes(told.at(-1)!), from);
    // One is under way, so many wait, and the others gave way.
    const dropped = await until('cards that gave way', async () => {
      const all = await deliveriesTo(looking, `stuck-${at(moment)}`);
      return all.length === 6 && all.filter(({ error }) => error === 'too many notifications were waiting');
    });
    expect(dropped).toHaveLength(moment === 'start' ? 3 : 2);
  },
};

const renewals = (windowSeconds: number): Config => ({
  notifications: {
    deduplication: { windowSeconds },
    ...(channel('slack', [{ name: 'renewals', url: startUrl('renewals'), events: only('externalWakeRenewed') }])[
      'notifications'
    ] as Config),
  },
});

const deduplicationRow: Row = {
  keys: ['notifications.deduplication.windowSeconds'],
  seen: 'whether a second card of the same is sent',
  start: renewals(0),
  reload: renewals(600),
  async look(looking) {
    const cluster = `renews-${at(looking.moment)}`;
    const before = (await deliveriesTo(looking, 'renewals')).length;
    // Each for longer: one that ends no later than the session does renews nothing.
    for (const duration of ['10m', '20m', '30m']) expect(await wake(looking, cluster, duration)).toBe('taken');
    const outcomes = await until('two renewals', async () => {
      const all = (await deliveriesTo(looking, 'renewals')).slice(0, -before || undefined);
      return all.length === 2 && all.every(({ outcome }) => outcome !== 'waiting') && all.map((one) => one.outcome);
    });
    expect(outcomes.toSorted()).toEqual(['delivered', looking.moment === 'start' ? 'delivered' : 'suppressed']);
    await endWake(looking, cluster);
  },
};

const addressRow: Row = {
  keys: ['notifications.channels.email.recipients[].address'],
  seen: 'to whom the mail goes',
  start: mails(['first@example.org']),
  reload: mails(['second@example.org']),
  async look(looking) {
    const words = await tell(looking);
    const [here, there] = looking.moment === 'start' ? ['first', 'second'] : ['second', 'first'];
    await until(`the mail of ${words}`, () => mailCame(looking, `${here}@example.org`, words));
    expect(mailCame(looking, `${there}@example.org`, words)).toBe(false);
  },
};

const caller = ({ service }: Looking, cluster: string) => ({
  apiUrl: service.apiUrl,
  ownUrl: 'https://svc.example.com',
  cluster,
  key: keyText('keys-a', 'one'),
});

async function wake(looking: Looking, cluster: string, duration: string): Promise<string> {
  return (await signedWake({ ...caller(looking, cluster), body: { duration } })).code;
}

async function endWake(looking: Looking, cluster: string): Promise<void> {
  await signedWake({ ...caller(looking, cluster), method: 'DELETE' });
}

export const deliveryRows: readonly Row[] = [
  queueRow,
  retryRow,
  deduplicationRow,
  switchRow('notifications.enabled', (looking, words) => came(looking, startUrl('teams-always'), words)),
  switchRow('notifications.channels.email.enabled', (looking, words) => mailCame(looking, 'always@example.org', words)),
  ...chats.map((name) =>
    switchRow(`notifications.channels.${name}.enabled`, (looking, words) =>
      came(looking, startUrl(`${name}-always`), words),
    ),
  ),
  addressRow,
  ...chats.map(urlRow),
  ...chats.map(nameRow),
  secretRow('name', { name: 'keys-a', key: 'two' }, { name: 'keys-b', key: 'two' }),
  secretRow('key', { name: 'keys-b', key: 'one' }, { name: 'keys-b', key: 'two' }),
];

export function answerHooks(outside: Outside): void {
  outside.host('refuses.test', ({ url }, response) => {
    const { pathname } = new URL(url);
    triedAt.set(pathname, [...(triedAt.get(pathname) ?? []), performance.now()]);
    response.writeHead(500).end();
  });
  outside.host('silent.test', () => {});
}

export const deliveryBase = ({ mailPort, proxyUrl }: Outside): Config => ({
  clusterName: 'wired',
  externalUrl: 'https://svc.example.com',
  auth: { adminUsers: [admin] },
  smtp: { host: '127.0.0.1', port: mailPort },
  proxyURL: proxyUrl,
  ...everyDay('on'),
  externalWake: {
    enabled: true,
    localClusterName: 'wired',
    clusters: ['retried', 'renews-first', 'renews-second'].map((name) => ({ name, secretRef })),
  },
  notifications: {
    enabled: true,
    channels: {
      email: { enabled: true, recipients: [{ address: 'always@example.org' }] },
      teams: { enabled: true, webhooks: [{ url: startUrl('teams-always') }] },
      slack: { enabled: true, webhooks: [{ url: startUrl('slack-always') }] },
      webhook: { enabled: true, webhooks: [{ url: startUrl('webhook-always'), secretRef }] },
    },
  },
});
