import type { Config } from '../../config/config.ts';
import { teamsMessages } from '../../domain/notification/adaptive-card.ts';
import type { ChannelName, Destination } from '../../domain/notification/destinations.ts';
import type { Message } from '../../domain/notification/message.ts';
import { slackMessages } from '../../domain/notification/slack-message.ts';
import { webhookBody } from '../../domain/notification/webhook-body.ts';
import type { Clock } from '../../ports/clock.ts';
import { type DeliveryChannel, DeliveryFailure } from '../../ports/delivery.ts';
import type { Mailer } from '../../ports/mailer.ts';
import type { Random } from '../../ports/random.ts';
import type { WebAnswer, WebClient } from '../../ports/web-client.ts';
import type { SharedKeys } from '../http-signatures/key-folder.ts';
import { sendMail } from '../mail/notification-mail.ts';

export interface ChannelOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly mailer: Mailer;
  readonly web: WebClient;
  readonly keys: SharedKeys;
  config(): Config;
}

/** How each channel sends. The words are the domain's; here they are put on the wire. */
export function createChannels(options: ChannelOptions): Readonly<Record<ChannelName, DeliveryChannel>> {
  const post = (destination: Destination, body: object) => (signal: AbortSignal) =>
    postJson(options, destination, { text: JSON.stringify(body), headers: {} }, signal);
  return {
    email: { shipments: (destination, message) => [() => sendMail(options, destination, message)] },
    teams: { shipments: (destination, message) => teamsMessages(message).map((body) => post(destination, body)) },
    slack: { shipments: (destination, message) => slackMessages(message).map((body) => post(destination, body)) },
    webhook: {
      shipments: (destination, message) => [(signal) => postSigned(options, destination, message, signal)],
    },
  };
}

async function postSigned(
  options: ChannelOptions,
  destination: Destination,
  message: Message,
  signal: AbortSignal,
): Promise<void> {
  const { clock, random, keys, config } = options;
  const { secretRef, target } = destination;
  if (secretRef === undefined) throw new DeliveryFailure('the destination names no key', { permanent: true });
  const [key] = await keys.keys(secretRef);
  const text = JSON.stringify(webhookBody(message));
  // Only who has a webhook pays for what signs.
  const { keyIdOf, signRequest } = await import('../http-signatures/sign-request.ts');
  const headers = signRequest({
    method: 'POST',
    url: new URL(target).href,
    body: Buffer.from(text),
    keyId: keyIdOf(config().clusterName),
    key: key!,
    created: Math.floor(clock.now() / 1000),
    nonce: Buffer.from(random.bytes(16)).toString('base64url'),
    purpose: 'svc-notification',
  });
  await postJson(options, destination, { text, headers }, signal);
}

async function postJson(
  { web, config }: ChannelOptions,
  { target }: Destination,
  { text, headers }: { readonly text: string; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<void> {
  const answer = await web.send(
    {
      method: 'POST',
      url: target,
      headers: { 'content-type': 'application/json', ...headers },
      body: Buffer.from(text),
      proxy: config().proxyURL,
    },
    signal,
  );
  const failure = answerFailure(answer);
  if (failure !== undefined) throw failure;
}

const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** What the destination said is not repeated: an answer may come from anywhere. */
function answerFailure({ status, retryAfterMs, text }: WebAnswer): DeliveryFailure | undefined {
  // Connectors of Teams answer 200 though the card did not arrive.
  if (status < 300 && !text.startsWith('Webhook message delivery failed')) return undefined;
  const permanent = status >= 300 && status < 500 && !passing.has(status);
  const more = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new DeliveryFailure(`the destination answered ${status}`, { permanent, ...more });
}
