import {
  type EventKey,
  type EventPriority,
  eventKeys,
  eventKinds,
  eventPriorities,
} from '../../../src/domain/notification/event-keys.ts';
import { controlHook } from '../harness/cards.ts';
import type { Config } from '../harness/merged.ts';
import type { Outside } from '../harness/outside.ts';
import type { Moment } from '../tables/evidence.ts';

// Each event has a number, and five destinations of each channel leave out what has their bit set in it. So the set of
// destinations at which a card arrives says which flag was obeyed, and a flag without effect is seen at once.

export const channels = ['email', 'teams', 'slack', 'webhook'] as const;
export type Channel = (typeof channels)[number];

export const bits = [0, 1, 2, 3, 4] as const;

/** Other numbers after the reload, so that each event changes its pattern. */
const numberOf = (key: EventKey, moment: Moment): number => {
  const index = eventKeys.indexOf(key);
  return moment === 'start' ? index + 1 : 31 - index;
};

export const leavesOut = (key: EventKey, bit: number, moment: Moment) => ((numberOf(key, moment) >> bit) & 1) === 1;

const flags = (value: (key: EventKey) => boolean) => Object.fromEntries(eventKeys.map((key) => [key, value(key)]));
const allPriorities = (value: boolean) => Object.fromEntries(eventPriorities.map((priority) => [priority, value]));
const everything = { ...flags(() => true), ...allPriorities(true), confirmationWindowSeconds: 0 };

/** Of each channel: name and event map. */
function destinations(moment: Moment): readonly (readonly [name: string, events: Config | undefined])[] {
  return [
    ...bits.map((bit) => [`bit${bit}`, { ...everything, ...flags((key) => !leavesOut(key, bit, moment)) }] as const),
    // The priority that is left out moves on by one with the reload.
    ...eventPriorities.map((priority, index) => {
      const left = moment === 'start' ? priority : eventPriorities[(index + 1) % 3]!;
      return [`priority${index}`, { ...everything, [left]: false }] as const;
    }),
    ['window', { ...everything, confirmationWindowSeconds: moment === 'start' ? 86_400 : 0 }],
    // These say nothing, or leave something out, so that the common map decides.
    ['plain', undefined],
    ['own-priorities', { ...allPriorities(true), confirmationWindowSeconds: 0 }],
    ['own-flags', { ...flags(() => true), confirmationWindowSeconds: 0 }],
    ['own-both', { ...flags(() => true), ...allPriorities(true) }],
  ];
}

export const leftOutPriority = (index: number, moment: Moment) =>
  moment === 'start' ? eventPriorities[index]! : eventPriorities[(index + 1) % 3]!;

export const isCondition = (key: EventKey) => eventKinds[key].condition;

export const addressOf = (channel: Channel, name: string) =>
  channel === 'email' ? `${name}@example.org` : `${channel}/${name}`;

/** The common map takes every other event and some priorities, the others after the reload; conditions then wait for a day. */
export const commonly = {
  takesKey: (key: EventKey, moment: Moment) => (eventKeys.indexOf(key) + (moment === 'start' ? 0 : 1)) % 2 === 0,
  takesPriority: (priority: EventPriority, moment: Moment) => (priority === 'medium') === (moment === 'start'),
  waits: (key: EventKey, moment: Moment) => moment === 'reload' && isCondition(key),
};

export function notificationConfig(moment: Moment, { mailPort, proxyUrl }: Outside): Config {
  const list = destinations(moment);
  const hooks = (channel: Channel) =>
    list.map(([name, events]) => ({
      name,
      url: `http://hooks.test/${channel}/${name}`,
      ...(events === undefined ? {} : { events }),
    }));
  const secretRef = { name: 'keys-a', key: 'one' };
  const control = { name: controlHook, url: `http://hooks.test/webhook/${controlHook}`, events: everything };
  const common = {
    ...flags((key) => commonly.takesKey(key, moment)),
    ...Object.fromEntries(eventPriorities.map((priority) => [priority, commonly.takesPriority(priority, moment)])),
    confirmationWindowSeconds: moment === 'start' ? 0 : 86_400,
  };
  return {
    proxyURL: proxyUrl,
    smtp: { host: '127.0.0.1', port: mailPort },
    notifications: {
      enabled: true,
      channels: {
        email: {
          enabled: true,
          recipients: list.map(([name, events]) => {
            const address = `${name}@example.org`;
            return events === undefined ? address : { address, events };
          }),
        },
        teams: { enabled: true, webhooks: hooks('teams') },
        slack: { enabled: true, webhooks: hooks('slack') },
        webhook: { enabled: true, webhooks: [control, ...hooks('webhook')].map((hook) => ({ ...hook, secretRef })) },
      },
      events: common,
      deduplication: { windowSeconds: 0 },
      queue: { bufferSize: 5000 },
      retry: { backoffSeconds: 1, maxAttempts: 2, timeoutSeconds: 20 },
    },
  };
}
