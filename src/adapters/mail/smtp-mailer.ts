import type { Transporter } from 'nodemailer';
import type { Config } from '../../config/config.ts';
import { variable } from '../../platform/process-environment.ts';
import type { Mail, Mailer } from '../../ports/mailer.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly from: string;
}

export interface SmtpOptions {
  /** Read for every mail: the configuration may change. */
  readonly settings: () => SmtpSettings;
  readonly user?: string;
  readonly password?: string;
  /** Certificates to trust besides the usual ones. */
  readonly ca?: string;
}

const timeoutMs = 15_000;
/** The library would make something of anything, also a recipient that nobody meant. */
const plainAddress = /^[^\s\p{C}<>()[\],;:"\\@]+@[^\s\p{C}<>()[\],;:"\\@]+$/u;

/** Sends through the configured mail server. The library is loaded with the first mail. */
export class SmtpMailer implements Mailer {
  readonly #options: SmtpOptions;
  #used: { readonly key: string; readonly transporter: Transporter } | undefined;

  constructor(options: SmtpOptions) {
    this.#options = options;
  }

  async send({ to, subject, text, html, messageId }: Mail): Promise<void> {
    const settings = this.#options.settings();
    if (settings.host === '') throw new Error('config.smtp.host is not set');
    if (!plainAddress.test(to)) throw new Error('the recipient is not one plain address');
    const transporter = await this.#transporter(settings);
    await transporter.sendMail({
      // As an object, so that an address is never parsed for headers or further recipients.
      from: { name: '', address: settings.from },
      to: { name: '', address: to },
      subject,
      text,
      ...(html === undefined ? {} : { html }),
      ...(messageId === undefined ? {} : { messageId }),
      // So that nobody's holiday notice answers.
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async #transporter({ host, port }: SmtpSettings): Promise<Transporter> {
    const key = `${host}:${port}`;
    if (this.#used?.key === key) return this.#used.transporter;
    // Of a CommonJS module, a bundle has the default export alone.
    const { createTransport } = (await import('nodemailer')).default;
    const { user, password, ca } = this.#options;
    const transporter = createTransport({
      host,
      port,
      secure: port === 465,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // A password goes over TLS that was verified, or not at all. A relay that asks for none is spoken to in TLS where it
      // offers that; refusing its own certificate would only mean sending in the clear or not at all.
      tls: { rejectUnauthorized: user !== undefined || port === 465, ...(ca === undefined ? {} : { ca }) },
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' }, requireTLS: port !== 465 }),
    });
    this.#used?.transporter.close();
    this.#used = { key, transporter };
    return transporter;
  }
}

/** The mail server of the configuration, with the account that the environment names. */
export function smtpMailer(
  env: Readonly<Record<string, string | undefined>>,
): (config: () => Pick<Config, 'smtp'>) => Mailer {
  const user = variable(env, 'SMTP_USER');
  const password = variable(env, 'SMTP_PASSWORD');
  return (config) =>
    new SmtpMailer({
      settings: () => config().smtp,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
    });
}
