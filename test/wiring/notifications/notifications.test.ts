import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EventKey, eventKeys, eventKinds, eventPriorities } from '../../../src/domain/notification/event-keys.ts';
import { generateLicenseKeys } from '../../../src/platform/license-keys.ts';
import { type ShippedBundles, shippedBundles } from '../harness/bundles.ts';
import { Cards } from '../harness/cards.ts';
import { FakeRds } from '../harness/fake-rds.ts';
import { everyDay } from '../harness/hours.ts';
import { deployment } from '../harness/manifests.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import { transitionTimeoutMs, until } from '../harness/until.ts';
import { WiredService } from '../harness/wired-service.ts';
import { wakeSecrets } from '../rows/external-wake.ts';
import { EvidenceFile, type Moment } from '../tables/evidence.ts';
import {
  addressOf,
  bits,
  channels,
  commonly,
  isCondition,
  leavesOut,
  leftOutPriority,
  notificationConfig,
} from './destinations.ts';
import { admin, answerFullParameter, cloud, costHost, licenseFor, raiseEverything, wake } from './raise.ts';

const configOf = (moment: Moment, outside: Outside): Config => ({
  clusterName: 'wired',
  externalUrl: 'https://svc.example.com',
  allowInsecureExternalUrl: true,
  auth: { adminUsers: [admin] },
  // Over since a minute past midnight, whenever this runs.
  ...everyDay('00:00-00:01'),
  controller: { workloadSettleTimeout: '2s', wakeBarrierTimeout: '1s' },
  wakeOrdering: { tiers: [{ name: 'slow', timeout: '1s', select: [{ namespace: 'slow' }] }] },
  databases: {
    orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1', endpoint: 'http://rds.test' },
    refused: { type: 'instance', identifier: 'refused', region: 'eu-central-1', endpoint: 'http://refused.test' },
  },
  externalWake: {
    enabled: true,
    localClusterName: 'wired',
    clusters: [{ name: 'branch', secretRef: { name: 'keys-a', key: 'one' } }],
  },
  // Nobody listens there.
  externalDependencies: [
    { cluster: `hub-${moment}`, url: 'http://127.0.0.1:1', secretRef: { name: 'keys-a', key: 'one' } },
  ],
  ...notificationConfig(moment, outside),
});

/** One card more, and none that waits. */
async function everythingIsDelivered(service: WiredService): Promise<void> {
  const client = await service.as(admin);
  const date = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  const since = Date.now();
  await client.setScheduleOverride({ params: { date }, body: { hours: 'on' } });
  await client.removeScheduleOverride({ params: { date } });
  let seen = '';
  await until(
    () => `every card is delivered; there were ${seen}`,
    async () => {
      const { items } = await client.notificationDeliveries();
      const last = items.some(({ at, title }) => Date.parse(at) >= since && title === 'Schedule Override Removed');
      const waiting = items.filter(({ outcome }) => outcome === 'waiting');
      seen = JSON.stringify({ last, newest: items[0], waiting: waiting.slice(0, 3) });
      return last && waiting.length === 0;
    },
  );
}

describe('notifications', () => {
  const evidence = new EvidenceFile('notifications');
  const keys = generateLicenseKeys();
  const rds = new FakeRds();
  let bundles: ShippedBundles;
  let service: WiredService;
  let cards: Cards;

  beforeAll(async () => {
    bundles = await shippedBundles({ publicKey: keys.publicKey, license: licenseFor(keys.privateKey) });
    service = await WiredService.install({
      bundles,
      values: {
        ...wakeSecrets,
        license: licenseFor(keys.privateKey, 300),
        extraEnvVars: [
          { name: 'AWS_ACCESS_KEY_ID', value: 'KEY' },
          { name: 'AWS_SECRET_ACCESS_KEY', value: 'secret' },
          { name: 'AWS_ENDPOINT_URL', value: `http://${costHost}` },
        ],
      },
      objects: ['shop/cart', 'shop/other'].map((place) => deployment(place)),
      config: (outside) => configOf('start', outside),
    });
    service.outside.host('rds.test', rds.answer);
    answerFullParameter(service.outside);
    service.outside.host('refused.test', (request, response) => {
      if (!cloud.refuses || !request.body.includes('Action=Stop')) return rds.answer(request, response);
      response.statusCode = 403;
      response.setHeader('content-type', 'text/xml');
      response.end('<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>');
    });
    cards = new Cards(service.outside);
    await service.start('api', 'controller');
    // The schedule lets it sleep; from here on the tests decide.
    await service.says('controller', ({ msg }) => msg === 'Hibernation finished', 0, transitionTimeoutMs);
  });
  afterAll(async () => {
    evidence.releases.push(...service.releases());
    evidence.save();
    await service.close();
    await bundles.remove();
  });

  const troublesome = [
    deployment('broken/w'),
    deployment('slow/w', { behaviour: { 'start-seconds': '4' }, patient: true }),
    deployment('shop/never', { behaviour: { 'never-ready': 'true' } }),
  ];

  for (const moment of ['start', 'reload'] as const) {
    describe(moment === 'start' ? 'at the start' : 'after a reload', () => {
      const seen = (where: string, key: string) => evidence.keys.push({ key, moment, in: 'controller', how: where });
      const patternOf = (channel: (typeof channels)[number], key: EventKey) =>
        bits.filter((bit) => cards.at(addressOf(channel, `bit${bit}`)).has(key));

      let failures: readonly string[] = [];

      beforeAll(async () => {
        const before = service.config;
        if (moment === 'reload') {
          cards.mark();
          await service.reload(configOf('reload', service.outside));
        }
        const round = { service, cards, moment, licenseKey: keys.privateKey, configBefore: before };
        await wake(round);
        service.cluster.apply(troublesome);
        const { sent, failures: found } = await raiseEverything(round);
        evidence.cards.push(...sent);
        failures = found;
        await everythingIsDelivered(service);
      }, 300_000);

      it('everything that is done is told of', () => {
        expect(failures).toEqual([]);
      });

      it.each(eventKeys)('%s: sent, and left out by the destinations whose flag says so', (key) => {
        for (const channel of channels) {
          const takes = bits.filter((bit) => !leavesOut(key, bit, moment));
          expect(patternOf(channel, key), channel).toEqual(takes);
          const list = channel === 'email' ? 'recipients' : 'webhooks';
          seen(
            'at which of five destinations its card arrives',
            `notifications.channels.${channel}.${list}[].events.${key}`,
          );
        }
        const common = channels.map((channel) => cards.at(addressOf(channel, 'own-priorities')).has(key));
        expect(common).toEqual(channels.map(() => commonly.takesKey(key, moment)));
        seen('whether its card arrives at destinations without a flag of their own', `notifications.events.${key}`);
      });

      it.each(eventPriorities.map((_, index) => index))('priorities that a destination leaves out: %i', (index) => {
        const left = leftOutPriority(index, moment);
        for (const channel of channels) {
          const here = cards.at(addressOf(channel, `priority${index}`));
          const missing = eventKeys.filter((key) => !here.has(key));
          // A failed wake reaches those who take high additionally: who leaves high out still takes it as the card of a wake.
          const isLeftOut = (key: EventKey) => eventKinds[key].priority === left && key !== 'wakeFailed';
          expect(missing, channel).toEqual(eventKeys.filter(isLeftOut));
          const list = channel === 'email' ? 'recipients' : 'webhooks';
          seen(
            'which cards do not arrive at the destination',
            `notifications.channels.${channel}.${list}[].events.${left}`,
          );
        }
      });

      it('confirmation windows', () => {
        const heldBack = (name: string) =>
          channels.map(
            (channel) =>
              eventKeys.filter((key) => isCondition(key) && !cards.at(addressOf(channel, name)).has(key)).length,
          );
        const all = eventKeys.filter(isCondition).length;
        expect(heldBack('window')).toEqual(channels.map(() => (moment === 'start' ? all : 0)));
        for (const channel of channels) {
          const list = channel === 'email' ? 'recipients' : 'webhooks';
          seen(
            'whether conditions are told at once',
            `notifications.channels.${channel}.${list}[].events.confirmationWindowSeconds`,
          );
        }
        expect(heldBack('own-both')).toEqual(channels.map(() => (moment === 'start' ? 0 : all)));
        seen('whether conditions are told at once', 'notifications.events.confirmationWindowSeconds');
      });

      it('priorities that the common map leaves out', () => {
        const takes = eventKeys.filter((key) => commonly.takesPriority(eventKinds[key].priority, moment));
        for (const channel of channels) {
          const here = cards.at(addressOf(channel, 'own-flags'));
          expect(
            eventKeys.filter((key) => here.has(key)),
            channel,
          ).toEqual(takes);
        }
        const where = 'which cards arrive at destinations that say nothing of priorities';
        for (const priority of eventPriorities) seen(where, `notifications.events.${priority}`);
      });

      it('destinations without a map of their own', () => {
        const takes = eventKeys.filter(
          (key) =>
            commonly.takesKey(key, moment) &&
            commonly.takesPriority(eventKinds[key].priority, moment) &&
            !commonly.waits(key, moment),
        );
        for (const channel of channels) {
          const here = cards.at(addressOf(channel, 'plain'));
          expect(
            eventKeys.filter((key) => here.has(key)),
            channel,
          ).toEqual(takes);
        }
      });
    });
  }
});
