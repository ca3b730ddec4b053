import { describe, expect, it } from 'vitest';
import { type ChannelSettings, destinationsOf } from './destinations.ts';

const off = { enabled: false, webhooks: [] };
const channels: ChannelSettings = {
  email: { enabled: true, recipients: ['ops@example.com', { address: 'bob@example.org', events: { low: false } }] },
  teams: { enabled: true, webhooks: [{ url: 'https://hooks.example.net/secret-path?sig=abc' }] },
  slack: off,
  webhook: {
    enabled: true,
    webhooks: [{ name: 'pager', url: 'https://pager.example.net/in', secretRef: { name: 'pager', key: 'hmac' } }],
  },
};
const privacy = { anonymizeLogsEnabled: true, domains: ['example.com'] };

describe('destinations', () => {
  it('are every recipient and webhook of the channels that are on, under names that carry no secret', () => {
    expect(destinationsOf(channels, privacy).map(({ channel, name, events }) => [channel, name, events])).toEqual([
      ['email', 'o***@example.com', {}],
      ['email', 'bob@example.org', { low: false }],
      ['teams', 'teams 1 (hooks.example.net)', {}],
      ['webhook', 'pager', {}],
    ]);
  });

  it('that are named twice are one', () => {
    const twice = {
      ...channels,
      teams: off,
      webhook: off,
      email: { enabled: true, recipients: ['a@b.example', 'a@b.example'] },
    };
    expect(destinationsOf(twice, privacy)).toHaveLength(1);
  });

  it('are none while every channel is off', () => {
    const none = { ...channels, email: { ...channels.email, enabled: false }, teams: off, webhook: off };
    expect(destinationsOf(none, privacy)).toEqual([]);
  });
});
