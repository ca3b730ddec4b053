import {
  type EventKey,
  type EventPriority,
  eventKeys,
  eventKinds,
  eventPriorities,
} from '../../domain/notification/event-keys.ts';
import { displayName, email } from '../formats/names.ts';
import { webhookUrl } from '../formats/urls.ts';
import {
  either,
  type FlagNode,
  flag,
  int,
  list,
  type Optional,
  optional,
  record,
  text,
} from '../formats/value-types.ts';
import { secretRef } from './shared/secret-ref.ts';

const eventFlags = Object.fromEntries([
  ...eventPriorities.map((priority) => [priority, eventFlag(`Events of ${priority} priority.`)]),
  ...eventKeys.map((key) => [key, eventFlag(eventKinds[key].description)]),
]) as { readonly [K in EventKey | EventPriority]: Optional<FlagNode> };

function eventFlag(description: string): Optional<FlagNode> {
  return optional(flag({ default: true, description }));
}

const confirmationWindowSeconds = int({
  default: 300,
  min: 0,
  max: 86_400,
  description: 'How long a condition must hold before it is told.',
});

const ownEvents = optional(
  record(
    { ...eventFlags, confirmationWindowSeconds: optional(confirmationWindowSeconds) },
    {
      sharedName: 'event map',
      description: 'Events of this destination; goes before `config.notifications.events` key by key.',
    },
  ),
);

const webhookFields = {
  name: optional(text({ format: displayName, description: 'Name of the destination in logs and the web app.' })),
  url: text({ format: webhookUrl, secretUrl: true, description: 'Address that cards are posted to.' }),
  events: ownEvents,
};

const chat = (product: string) =>
  record(
    {
      enabled: flag({ default: false, description: `Post to ${product}.` }),
      webhooks: list(record(webhookFields, { description: 'A destination.' }), {
        maxItems: 100,
        description: `Incoming webhooks of ${product}.`,
      }),
    },
    { description: `The channel ${product}.` },
  );

const emailRecipient = text({ format: email, description: 'An address.' });

export const notifications = record(
  {
    enabled: flag({ default: false, description: 'Switches every notification.' }),
    channels: record(
      {
        email: record(
          {
            enabled: flag({ default: false, description: 'Send mails.' }),
            recipients: list(
              either(
                {
                  text: emailRecipient,
                  record: record(
                    { address: emailRecipient, events: ownEvents },
                    { description: 'An address with events of its own.' },
                  ),
                },
                { description: 'An address, or an address with events of its own.' },
              ),
              { maxItems: 500, description: 'Who gets the mails.' },
            ),
          },
          { description: 'The channel mail.' },
        ),
        teams: chat('Microsoft Teams'),
        slack: chat('Slack'),
        webhook: record(
          {
            enabled: flag({ default: false, description: 'Post signed JSON.' }),
            webhooks: list(record({ ...webhookFields, secretRef }, { description: 'A destination.' }), {
              maxItems: 100,
              description: 'Destinations that take signed JSON.',
            }),
          },
          { description: 'The channel of signed webhooks for programs.' },
        ),
      },
      { description: 'Where notifications go.' },
    ),
    events: record(
      { ...eventFlags, confirmationWindowSeconds },
      { sharedName: 'event map', description: 'Events for every destination that says nothing else.' },
    ),
    deduplication: record(
      {
        windowSeconds: int({
          default: 300,
          min: 0,
          max: 86_400,
          description: 'Time in which a condition is not told again.',
        }),
      },
      { description: 'Repeated notifications.' },
    ),
    queue: record(
      {
        bufferSize: int({
          default: 20,
          min: 1,
          max: 10_000,
          description: 'Notifications that may wait for delivery.',
        }),
      },
      { description: 'The delivery queue.' },
    ),
    retry: record(
      {
        backoffSeconds: int({
          default: 2,
          min: 1,
          max: 300,
          description: 'Wait before the second attempt; doubled for each further one.',
        }),
        maxAttempts: int({ default: 3, min: 1, max: 20, description: 'Attempts for one delivery.' }),
        timeoutSeconds: int({ default: 30, min: 1, max: 300, description: 'Time for one attempt.' }),
      },
      { description: 'Failed deliveries.' },
    ),
  },
  { description: 'Notifications by mail and chat.' },
);
