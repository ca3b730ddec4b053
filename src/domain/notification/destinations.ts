import { type PrivacySettings, shownAddress } from '../address/privacy.ts';
import type { EventMap } from './routing.ts';

export type ChannelName = 'email' | 'teams' | 'slack' | 'webhook';

export interface SecretPlace {
  readonly name: string;
  readonly key: string;
}

export interface Destination {
  readonly channel: ChannelName;
  /** Unlike that of every other destination; never shown, since it may hold the address of a webhook. */
  readonly key: string;
  /** The name shown in logs, the delivery log and the web app. Contains no secret. */
  readonly name: string;
  /** The address of the mail, or the URL. */
  readonly target: string;
  readonly events: EventMap;
  readonly secretRef?: SecretPlace;
}

interface Webhook {
  readonly name?: string;
  readonly url: string;
  readonly events?: EventMap;
  readonly secretRef?: SecretPlace;
}

interface Hooks {
  readonly enabled: boolean;
  readonly webhooks: readonly Webhook[];
}

/** The part of `config.notifications` that says where messages go. */
export interface ChannelSettings {
  readonly email: {
    readonly enabled: boolean;
    readonly recipients: readonly (string | { readonly address: string; readonly events?: EventMap })[];
  };
  readonly teams: Hooks;
  readonly slack: Hooks;
  readonly webhook: Hooks;
}

/** Every destination of the channels that are on; one that is named twice is one destination. */
export function destinationsOf(channels: ChannelSettings, privacy: PrivacySettings): readonly Destination[] {
  const mail = channels.email.enabled ? channels.email.recipients.map((one) => recipient(one, privacy)) : [];
  const hooks = (['teams', 'slack', 'webhook'] as const).flatMap((channel) =>
    channels[channel].enabled ? channels[channel].webhooks.map((hook, index) => webhook(channel, hook, index)) : [],
  );
  return [...new Map([...mail, ...hooks].map((one) => [one.key, one])).values()];
}

type Recipient = ChannelSettings['email']['recipients'][number];

function recipient(entry: Recipient, privacy: PrivacySettings): Destination {
  const address = typeof entry === 'string' ? entry : entry.address;
  const events = typeof entry === 'string' ? {} : (entry.events ?? {});
  return { channel: 'email', key: `email ${address}`, name: shownAddress(address, privacy), target: address, events };
}

function webhook(channel: 'teams' | 'slack' | 'webhook', hook: Webhook, index: number): Destination {
  const { url, events = {}, secretRef } = hook;
  return {
    channel,
    key: `${channel} ${url}`,
    // The host says which it is; path and query are the credential.
    name: hook.name ?? `${channel} ${index + 1} (${URL.parse(url)?.host ?? 'no host'})`,
    target: url,
    events,
    ...(secretRef === undefined ? {} : { secretRef }),
  };
}
