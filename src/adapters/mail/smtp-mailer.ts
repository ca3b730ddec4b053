import type nodemailer from 'nodemailer';
import type { Transporter } from 'nodemailer';
import type { Config } from '../../config/config.ts';
import { variable } from '../../platform/process-environment.ts';
import { type Mail, type Mailer, mailsAtOnce } from '../../ports/mailer.ts';

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

/** Some servers end a connection that has brought many; it is ended before they do. */
const mailsOfConnection = 20;

interface Pool {
  readonly key: string;
  readonly transporter: Transporter;
  underWay: number;
}

/**
 * Sends through the configured mail server, over a few connections that mails of one stretch share: each costs memory, and servers count
 * them. None is kept idle, so none is found dead by the next mail. The library is loaded with the first mail.
 */
export class SmtpMailer implements Mailer {
  readonly #options: SmtpOptions;
  #used: Pool | undefined;

  constructor(options: SmtpOptions) {
    this.#options = options;
  }

  async send({ to, subject, text, html, messageId }: Mail): Promise<void> {
    const settings = this.#options.settings();
    if (settings.host === '') throw new Error('config.smtp.host is not set');
    if (!plainAddress.test(to)) throw new Error('the recipient is not one plain address');
    // Of a CommonJS module, a bundle has the default export alone.
    const { createTransport } = (await import('nodemailer')).default;
    await this.#through(this.#pool(settings, createTransport), {
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

  /** The last mail under way closes the door: also that of a server which is no longer the configured one. */
  async #through(pool: Pool, mail: Readonly<Record<string, unknown>>): Promise<void> {
    pool.underWay++;
    try {
      await pool.transporter.sendMail(mail);
    } finally {
      pool.underWay--;
      if (pool.underWay === 0) {
        pool.transporter.close();
        if (this.#used === pool) this.#used = undefined;
      }
    }
  }

  #pool({ host, port }: SmtpSettings, createTransport: (typeof nodemailer)['createTransport']): Pool {
    const key = `${host}:${port}`;
    if (this.#used?.key === key) return this.#used;
    const { user, password, ca } = this.#options;
    const transporter = createTransport({
      pool: true,
      maxConnections: mailsAtOnce,
      maxMessages: mailsOfConnection,
      maxRequeues: 1,
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
    this.#used = { key, transporter, underWay: 0 };
    return this.#used;
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
