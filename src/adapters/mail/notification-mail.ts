import { createHash } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { Destination } from '../../domain/notification/destinations.ts';
import { mailContent } from '../../domain/notification/mail-text.ts';
import type { Message } from '../../domain/notification/message.ts';
import { DeliveryFailure } from '../../ports/delivery.ts';
import type { Mailer } from '../../ports/mailer.ts';

interface MailOptions {
  readonly mailer: Mailer;
  config(): Config;
}

/** One notification to one address. */
export async function sendMail(
  { mailer, config }: MailOptions,
  { target }: Destination,
  message: Message,
): Promise<void> {
  if (!config().smtp.enabled) throw new DeliveryFailure('SMTP is disabled', { permanent: true });
  const { subject, text, html } = mailContent(message);
  try {
    await mailer.send({ to: target, subject, text, html, messageId: messageId(message, target) });
  } catch (error) {
    throw mailFailure(error);
  }
}

/** The same for every attempt, so that a mail that was taken though nobody heard so is one mail to its reader. */
function messageId({ id, at, url }: Message, address: string): string {
  const hash = createHash('sha256').update(`${id}\n${at}\n${address}`).digest('hex').slice(0, 32);
  return `<${hash}@${URL.parse(url)?.hostname ?? 'svc.internal'}>`;
}

/** The server's own words often repeat the address; its code says enough. */
function mailFailure(error: unknown): DeliveryFailure {
  const { responseCode, code } = error as { readonly responseCode?: unknown; readonly code?: unknown };
  if (typeof responseCode === 'number' && responseCode >= 400) {
    return new DeliveryFailure(`the mail server answered ${responseCode}`, { permanent: responseCode >= 500 });
  }
  return new DeliveryFailure(`the mail server did not take it${typeof code === 'string' ? ` (${code})` : ''}`);
}
