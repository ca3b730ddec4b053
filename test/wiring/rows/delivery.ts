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
/** Far longer than a card takes. */
const cardMs = 2_500;
const mostMs = 20_000;
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
  [...outside.internet.requests, ...outside.otherProxy.requests].find(
    (request) => request.url === url && request.body.includes(words),
  );
const came = (looking: Looking, url: string, words: string) => cardAt(looking, url, words) !== undefined;
const mailOf = ({ outside }: Looking, address: string, words: string) =>
  outside.mailsTo(address).find(({ mail }) => (mail.text ?? '').includes(words));
const mailCame = (looking: Looking, address: string, words: string) => mailOf(looking, address, words) !== undefined;

/** What the web app shows of a destination. */
async function deliveriesTo({ service }: Looking, destination: string) {
  const { items } = await (await service.as(admin)).notificationDeliveries();
  return items.filter((one) => one.destination === destination);
}

/** Something that turns cards on, by how they come, and not while it is off. */
function switchRow(key: string, arrives: (looking: Looking, words: string) => boolean): Row {
  return {
    keys: { [key]: { start: true, reload: false } },
    in: 'controller',
    seen: 'whether cards are sent',
    start: {},
    reload: { alone: key.split('.').reduceRight<unknown>((value, part) => ({ [part]: value }), false) as Config },
    async see(looking) {
      const { service } = looking;
      const from = service.log.controller.length;
      const words = await tell(looking);
      await service.says('controller', (line) => line.msg === 'Audit' && JSON.stringify(line).includes(words), from);
      // A card leaves after its line. One that should come has longer, so that a busy machine does not look like a switch.
      const ms = looking.moment === 'start' ? mostMs : cardMs;
      const came = await until(`a card of ${words}`, () => arrives(looking, words), ms).catch(() => false);
      return { [key]: came };
    },
  };
}

const urlRow = (name: Chat): Row => {
  const key = `notifications.channels.${name}.webhooks[].url`;
  const urls = [startUrl(`${name}-url`), reloadUrl(`${name}-url`)];
  return {
    keys: { [key]: { start: [urls[0]], reload: [urls[1]] } },
    in: 'controller',
    seen: 'where the card arrives',
    start: channel(name, [{ url: urls[0]! }]),
    reload: channel(name, [{ url: urls[1]! }]),
    async see(looking) {
      const words = await tell(looking);
      const there = () => urls.filter((url) => came(looking, url, words));
      await until(`the card of ${words}`, () => there().length > 0);
      return { [key]: there() };
    },
  };
};

const nameRow = (name: Chat): Row => {
  const key = `notifications.channels.${name}.webhooks[].name`;
  const names = [`${name}-first`, `${name}-second`];
  return {
    keys: { [key]: { start: [names[0]], reload: [names[1]] } },
    in: 'controller',
    seen: 'how the list of deliveries calls the destination',
    start: channel(name, [{ name: names[0]!, url: startUrl(`${name}-name`) }]),
    reload: channel(name, [{ name: names[1]!, url: startUrl(`${name}-name`) }]),
    async see(looking) {
      const since = Date.now();
      await tell(looking);
      const newest = async () => {
        const { items } = await (await looking.service.as(admin)).notificationDeliveries();
        const fresh = items.filter((one) => Date.parse(one.at) >= since - 1);
        return names.filter((one) => fresh.some(({ destination }) => destination === one));
      };
      return {
        [key]: await until('the delivery under its name', async () => {
          const found = await newest();
          return found.length > 0 && found;
        }),
      };
    },
  };
};

/** The address stays; another Secret, or another key of it, signs. */
const secretRow = (part: 'name' | 'key', first: Hook['secretRef'], second: Hook['secretRef']): Row => {
  const url = startUrl(`signed-by-${part}`);
  const key = `notifications.channels.webhook.webhooks[].secretRef.${part}`;
  return {
    keys: { [key]: { start: [`${first!.name} ${first!.key}`], reload: [`${second!.name} ${second!.key}`] } },
    in: 'controller',
    seen: 'the key that the card is signed with',
    start: channel('webhook', [{ url, ...(first && { secretRef: first }) }]),
    reload: channel('webhook', [{ url, ...(second && { secretRef: second }) }]),
    async see(looking) {
      const words = await tell(looking);
      const request = await until(`the card of ${words}`, () => cardAt(looking, url, words));
      return { [key]: await keysThatSigned(request) };
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
  keys: {
    'notifications.retry.backoffSeconds': {
      start: retries.start.backoffSeconds,
      reload: retries.reload.backoffSeconds,
    },
    'notifications.retry.maxAttempts': { start: [2, 2, 2], reload: [3, 3, 3] },
    'notifications.retry.timeoutSeconds': { start: 'no answer within 1 s', reload: 'no answer within 2 s' },
  },
  in: 'controller',
  seen: 'how often, and when, a destination that fails is tried again',
  start: failing('start'),
  reload: failing('reload'),
  async see(looking) {
    const which = at(looking.moment);
    await wake(looking, 'retried', '10m');
    const failed = (name: string) =>
      until(`the delivery to ${name} is given up`, async () =>
        (await deliveriesTo(looking, `${name}-${which}`)).find(({ outcome }) => outcome === 'failed'),
      );
    const [refused, silent] = [await failed('refuses'), await failed('silent')];
    const tries = triedAt.get(`/${which}`) ?? [];
    const [one = 0, two = 0] = tries;
    await endWake(looking, 'retried');
    return {
      'notifications.retry.backoffSeconds': Math.round((two - one) / 1000),
      'notifications.retry.maxAttempts': [refused.attempts, silent.attempts, tries.length],
      'notifications.retry.timeoutSeconds': silent.error,
    };
  },
};

const stuck = (moment: Moment, bufferSize: number): Config => {
  const hook = { name: `stuck-${at(moment)}`, url: `http://silent.test/stuck/${at(moment)}` };
  const { channels } = channel('webhook', [{ ...hook, events: only('scheduleOverride') }])['notifications'] as Config;
  return { notifications: { queue: { bufferSize }, channels } };
};

/** Has to be the first: every other card would wait for that destination too. */
const queueRow: Row = {
  // Of six cards one is under way, so many wait, and the others gave way.
  keys: { 'notifications.queue.bufferSize': { start: 6 - 1 - 2, reload: 6 - 1 - 3 } },
  in: 'controller',
  seen: 'how many cards wait for a destination that does not answer',
  start: stuck('start', 2),
  reload: stuck('reload', 3),
  async see(looking) {
    const { service, moment } = looking;
    const from = service.log.controller.length;
    const told: string[] = [];
    for (let index = 0; index < 6; index++) told.push(await tell(looking));
    await service.says('controller', (line) => JSON.stringify(line).includes(told.at(-1)!), from);
    const dropped = await until('cards that gave way', async () => {
      const all = await deliveriesTo(looking, `stuck-${at(moment)}`);
      return all.length === 6 && all.filter(({ error }) => error === 'too many notifications were waiting');
    });
    return { 'notifications.queue.bufferSize': dropped.length };
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
  keys: {
    'notifications.deduplication.windowSeconds': {
      start: ['delivered', 'delivered'],
      reload: ['delivered', 'suppressed'],
    },
  },
  in: 'controller',
  seen: 'whether a second card of the same is sent',
  start: renewals(0),
  reload: renewals(600),
  async see(looking) {
    const cluster = `renews-${at(looking.moment)}`;
    const before = (await deliveriesTo(looking, 'renewals')).length;
    // Each for longer: one that ends no later than the session does renews nothing.
    for (const duration of ['10m', '20m', '30m']) await wake(looking, cluster, duration);
    const outcomes = await until('two renewals', async () => {
      const all = (await deliveriesTo(looking, 'renewals')).slice(0, -before || undefined);
      return all.length === 2 && all.every(({ outcome }) => outcome !== 'waiting') && all.map((one) => one.outcome);
    });
    await endWake(looking, cluster);
    return { 'notifications.deduplication.windowSeconds': outcomes.toSorted() };
  },
};

const addressRow: Row = {
  keys: {
    'notifications.channels.email.recipients[].address': {
      start: ['first@example.org'],
      reload: ['second@example.org'],
    },
  },
  in: 'controller',
  seen: 'to whom the mail goes',
  start: mails(['first@example.org']),
  reload: mails(['second@example.org']),
  async see(looking) {
    const words = await tell(looking);
    const there = () => ['first@example.org', 'second@example.org'].filter((one) => mailCame(looking, one, words));
    await until(`the mail of ${words}`, () => there().length > 0);
    return { 'notifications.channels.email.recipients[].address': there() };
  },
};

/** What a card says of the cluster that it is of, and the way that it goes. */
const placeRow: Row = {
  keys: {
    clusterName: { start: 'wired-first', reload: 'wired-second' },
    externalUrl: { start: 'https://first.example.com', reload: 'https://second.example.com' },
    'workingHours.timezone': { start: 'Asia/Tokyo', reload: 'America/New_York' },
    proxyURL: { start: 'the general proxy', reload: 'the second one' },
  },
  in: 'controller',
  seen: 'cluster, link and time zone of a card, and the proxy that it goes through',
  start: ({ proxyUrl }) => ({
    clusterName: 'wired-first',
    externalUrl: 'https://first.example.com',
    workingHours: { timezone: 'Asia/Tokyo' },
    proxyURL: proxyUrl,
  }),
  reload: ({ otherProxyUrl }) => ({
    clusterName: 'wired-second',
    externalUrl: 'https://second.example.com',
    workingHours: { timezone: 'America/New_York' },
    proxyURL: otherProxyUrl,
  }),
  async see(looking) {
    const words = await tell(looking);
    const card = await until(`the card of ${words}`, () => cardAt(looking, startUrl('webhook-always'), words));
    const { cluster, url } = JSON.parse(card.body) as { readonly cluster: string; readonly url: string };
    const mail = await until(`the mail of ${words}`, () => mailOf(looking, 'always@example.org', words));
    return {
      clusterName: cluster,
      externalUrl: url,
      'workingHours.timezone': /\((\w+\/\w+)\)/.exec(mail.mail.text ?? '')?.[1],
      proxyURL: looking.outside.internet.requests.includes(card) ? 'the general proxy' : 'the second one',
    };
  },
};

const mailRow: Row = {
  keys: {
    'smtp.port': { start: 'the first server', reload: 'the second one' },
    'smtp.from': { start: 'first@example.com', reload: 'second@example.com' },
  },
  in: 'controller',
  seen: 'which mail server gets a card, and from whom',
  start: ({ mailPort }) => ({ smtp: { port: mailPort, from: 'first@example.com' } }),
  reload: ({ otherMailPort }) => ({ smtp: { port: otherMailPort, from: 'second@example.com' } }),
  async see(looking) {
    const words = await tell(looking);
    const mail = await until(`the mail of ${words}`, () => mailOf(looking, 'always@example.org', words));
    return {
      'smtp.port': looking.outside.mailServer.mails.includes(mail) ? 'the first server' : 'the second one',
      'smtp.from': mail.mail.from?.address,
    };
  },
};

/** Mails that cannot be sent: what the list of deliveries says of one. */
const mailFailureRow = (key: 'smtp.host' | 'smtp.enabled', alone: Config, why: RegExp): Row => ({
  keys: { [key]: { start: 'delivered', reload: String(why) } },
  in: 'controller',
  seen: 'why a mail could not be sent',
  start: { smtp: { host: '127.0.0.1', enabled: true } },
  reload: { alone },
  async see(looking) {
    const since = Date.now();
    await tell(looking);
    const { outcome, error = '' } = await until('what became of the mail', async () => {
      const all = await deliveriesTo(looking, 'always@example.org');
      return all.find((one) => Date.parse(one.at) >= since - 1 && (one.outcome === 'delivered' || one.error));
    });
    return { [key]: outcome === 'delivered' ? outcome : why.test(error) ? String(why) : error };
  },
});

/** Who did it, as the card says. */
const actorOf = async (looking: Looking) => {
  const words = await tell(looking);
  const card = await until(`the card of ${words}`, () => cardAt(looking, startUrl('webhook-always'), words));
  return /a(?:da|\*\*\*)@example\.com/.exec(card.body)?.[0];
};

const privacyRows: readonly Row[] = [
  {
    keys: { 'auth.privacy.domains': { start: 'a***@example.com', reload: 'ada@example.com' } },
    in: 'controller',
    seen: 'which addresses a card shows in full',
    start: { auth: { privacy: { anonymizeLogsEnabled: true, domains: ['example.com'] } } },
    reload: { alone: { auth: { privacy: { domains: ['example.net'] } } } },
    see: async (looking) => ({ 'auth.privacy.domains': await actorOf(looking) }),
  },
  {
    keys: { 'auth.privacy.anonymizeLogsEnabled': { start: 'a***@example.com', reload: 'ada@example.com' } },
    in: 'controller',
    seen: 'how a card shows an address of a domain that is listed',
    start: {},
    reload: { alone: { auth: { privacy: { anonymizeLogsEnabled: false } } } },
    see: async (looking) => ({ 'auth.privacy.anonymizeLogsEnabled': await actorOf(looking) }),
  },
];

const logLevelRow: Row = {
  keys: { 'operations.logLevel': { start: false, reload: true } },
  in: 'controller',
  seen: 'whether lines of level debug are in the log',
  start: { operations: { logLevel: 'info' } },
  reload: { operations: { logLevel: 'debug' } },
  async see(looking) {
    const { service } = looking;
    const from = service.log.controller.length;
    const words = await tell(looking);
    await until(`the card of ${words}`, () => cardAt(looking, startUrl('webhook-always'), words));
    // Each card that was delivered leaves such a line, before the next one is sent to the same destination.
    const next = await tell(looking);
    await until(`the card of ${next}`, () => cardAt(looking, startUrl('webhook-always'), next));
    return { 'operations.logLevel': service.log.controller.slice(from).some(({ level }) => level === 'debug') };
  },
};

const caller = ({ service }: Looking, cluster: string) => ({
  apiUrl: service.apiUrl,
  ownUrl: String(service.config['externalUrl']),
  cluster,
  key: keyText('keys-a', 'one'),
});

async function wake(looking: Looking, cluster: string, duration: string): Promise<void> {
  const { code } = await signedWake({ ...caller(looking, cluster), body: { duration } });
  if (code !== 'taken') throw new Error(`The wake request of ${cluster} was refused: ${code}.`);
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
  placeRow,
  mailRow,
  mailFailureRow('smtp.host', { smtp: { host: 'nowhere.test' } }, /EDNS/),
  mailFailureRow('smtp.enabled', { smtp: { enabled: false } }, /SMTP is disabled/),
  ...privacyRows,
  logLevelRow,
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

export const deliveryBase = (): Config => ({
  auth: { adminUsers: [admin] },
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
