import type { Transporter } from 'nodemailer';
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
}

const timeoutMs = 15_000;

/** Sends through the configured mail server. The library is loaded with the first mail. */
export class SmtpMailer implements Mailer {
  readonly #options: SmtpOptions;
  #used: { readonly key: string; readonly transporter: Transporter } | undefined;

  constructor(options: SmtpOptions) {
    this.#options = options;
  }

  async send({ to, subject, text, html }: Mail): Promise<void> {
    const settings = this.#options.settings();
    if (settings.host === '') throw new Error('config.smtp.host is not set');
    const transporter = await this.#transporter(settings);
    await transporter.sendMail({
      // As an object, so that an address is never parsed for headers or further recipients.
      from: { name: '', address: settings.from },
      to: { name: '', address: to },
      subject,
      text,
      ...(html === undefined ? {} : { html }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async #transporter({ host, port }: SmtpSettings): Promise<Transporter> {
    const key = `${host}:${port}`;
    if (this.#used?.key === key) return this.#used.transporter;
    // Of a CommonJS module, a bundle has the default export alone.
    const { createTransport } = (await import('nodemailer')).default;
    const { user, password } = this.#options;
    const transporter = createTransport({
      host,
      port,
      secure: port === 465,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' }, requireTLS: port !== 465 }),
    });
    this.#used?.transporter.close();
    this.#used = { key, transporter };
    return transporter;
  }
}
