import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { selfSigned } from './self-signed.ts';

export interface MailServerOptions {
  /** Signs these in, and nobody without. */
  readonly login?: { readonly user: string; readonly password: string };
  readonly tls?: 'offered' | 'none';
  /** What becomes of a mail once it is all there. */
  readonly onMail?: (address: string) => Promise<'take' | 'refuse' | 'later' | 'drop'>;
}

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly raw: string;
  readonly mail: Email;
}

/** A mail server in this process that keeps what it takes. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  readonly certificate = selfSigned(['127.0.0.1', 'localhost']);
  readonly #server: SMTPServer;
  connections = 0;
  open = 0;
  /** The most connections that there were at one time. */
  mostOpen = 0;
  logins = 0;

  constructor(options: MailServerOptions = {}) {
    const { login, tls = 'offered', onMail = async () => 'take' as const } = options;
    const disabledCommands = [...(tls === 'none' ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])];
    const settings: SMTPServerOptions = {
      key: this.certificate.key,
      cert: this.certificate.cert,
      disabledCommands,
      authOptional: login === undefined,
      allowInsecureAuth: true,
      logger: false,
      onConnect: (_session, done) => {
        this.connections++;
        this.open++;
        this.mostOpen = Math.max(this.mostOpen, this.open);
        done();
      },
      onClose: () => {
        this.open--;
      },
      onAuth: ({ username, password }, _session, done) => {
        this.logins++;
        if (username === login?.user && password === login?.password) done(null, { user: username });
        else done(new Error('Invalid username or password'));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const fate = await onMail(to[0] ?? '');
          if (fate === 'drop') {
            // The package publishes no types for the connections that it holds.
            (this.#server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections.forEach(
              (one) => {
                one._socket.destroy();
              },
            );
            return;
          }
          if (fate === 'refuse') return done(Object.assign(new Error(`no mailbox ${to[0]}`), { responseCode: 550 }));
          if (fate === 'later') return done(Object.assign(new Error('try again'), { responseCode: 451 }));
          const raw = Buffer.concat(chunks).toString('utf8');
          const user = session.user as string | undefined;
          this.mails.push({ to, secure: session.secure, user, raw, mail: await PostalMime.parse(raw) });
          done();
        });
      },
    };
    this.#server = new SMTPServer(settings);
    this.#server.on('error', () => {});
  }

  /** The port it listens on. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
