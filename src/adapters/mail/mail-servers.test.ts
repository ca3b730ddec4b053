import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { degraded, hostileTexts, message, place } from '../../../test/support/examples/notice-examples.ts';
import { MailServer, type MailServerOptions } from '../../../test/support/mail-server.ts';
import { mailContent } from '../../domain/notification/mail-text.ts';
import { messageOf } from '../../domain/notification/message.ts';
import { SmtpMailer, type SmtpOptions } from './smtp-mailer.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function rig(server: MailServerOptions, mailer: Partial<SmtpOptions> & { readonly trusted?: boolean } = {}) {
  const mailServer = new MailServer(server);
  const port = await mailServer.listen();
  open.push(() => mailServer.close());
  const { trusted = true, ...options } = mailer;
  const settings = () => ({ host: '127.0.0.1', port, from: 'no-reply@svc.example.com' });
  const ca = trusted ? { ca: mailServer.certificate.cert } : {};
  return { mailServer, mailer: new SmtpMailer({ settings, ...ca, ...options }) };
}

const login = { user: 'svc', password: 'correct horse' };
const mail = { to: 'ops@example.org', ...mailContent(messageOf(degraded, place)), messageId: '<one@svc.example.com>' };

describe('a mail, with a real mail server', () => {
  it('arrives with its text and its HTML, and says that a program sent it', async () => {
    const { mailServer, mailer } = await rig({});
    await mailer.send(mail);
    const { mail: received } = mailServer.mails[0]!;
    expect(received).toMatchObject({
      from: { address: 'no-reply@svc.example.com' },
      to: [{ address: 'ops@example.org' }],
      subject: '[dev-eu] Wake Complete - 2 workloads failed',
      messageId: '<one@svc.example.com>',
    });
    expect(received.text!.replaceAll('\r\n', '\n').trim()).toBe(mail.text.trim());
    expect(received.html).toContain('<h2 style="margin:0;font-size:15px;line-height:22px">Recovered</h2>');
    const sender = received.headers.find(({ key }) => key === 'auto-submitted');
    expect(sender?.value).toBe('auto-generated');
  });

  it('goes in TLS where the server offers it, and in the clear to a relay that does not', async () => {
    const offered = await rig({ tls: 'offered' });
    await offered.mailer.send(mail);
    const none = await rig({ tls: 'none' });
    await none.mailer.send(mail);
    expect([offered.mailServer.mails[0]!.secure, none.mailServer.mails[0]!.secure]).toEqual([true, false]);
  });

  it('goes to a relay with a certificate of its own making while there is no password to lose', async () => {
    const { mailServer, mailer } = await rig({}, { trusted: false });
    await mailer.send(mail);
    expect(mailServer.mails[0]!.secure).toBe(true);
  });

  it('is sent after a sign-in over TLS', async () => {
    const { mailServer, mailer } = await rig({ login }, login);
    await mailer.send(mail);
    expect(mailServer.mails[0]).toMatchObject({ secure: true, user: 'svc' });
  });

  it('is not sent with a wrong password', async () => {
    const { mailer } = await rig({ login }, { ...login, password: 'wrong' });
    await expect(mailer.send(mail)).rejects.toMatchObject({ responseCode: 535 });
  });

  it('never shows the password to a server without TLS, or one that cannot prove who it is', async () => {
    const plain = await rig({ tls: 'none', login }, login);
    await expect(plain.mailer.send(mail)).rejects.toThrow();
    const stranger = await rig({ login }, { ...login, trusted: false });
    await expect(stranger.mailer.send(mail)).rejects.toThrow(/self-signed certificate/);
    expect([plain.mailServer.logins, stranger.mailServer.logins]).toEqual([0, 0]);
  });

  it('goes over three connections at most, however many there are, and none is left open', async () => {
    const { mailServer, mailer } = await rig({});
    await Promise.all(Array.from({ length: 100 }, () => mailer.send(mail)));
    expect(mailServer.mails).toHaveLength(100);
    expect(mailServer.mostOpen).toBe(3);
    expect(mailServer.connections).toBeLessThan(10);
    await expect.poll(() => mailServer.open).toBe(0);
  });

  it('goes to the server that is configured now, and what is under way to the one before arrives there', async () => {
    const [before, now] = [new MailServer({ onMail: () => held.promise }), new MailServer()];
    const held = Promise.withResolvers<'take'>();
    const ports = [await before.listen(), await now.listen()];
    open.push(
      () => before.close(),
      () => now.close(),
    );
    let [port] = ports;
    const mailer = new SmtpMailer({ settings: () => ({ host: '127.0.0.1', port: port!, from: 'a@svc.example.com' }) });
    const first = mailer.send(mail);
    await expect.poll(() => before.open).toBe(1);
    port = ports[1];
    await mailer.send(mail);
    expect([before.mails.length, now.mails.length]).toEqual([0, 1]);
    held.resolve('take');
    await first;
    expect(before.mails).toHaveLength(1);
    await expect.poll(() => before.open + now.open).toBe(0);
  });

  it.each([
    ['refuse', { responseCode: 550 }],
    ['later', { responseCode: 451 }],
    ['drop', { code: expect.stringMatching(/ECONNECTION|ECONNRESET|ESOCKET|EMESSAGE/) }],
  ] as const)('says so when the server does this: %s', async (fate, expected) => {
    const { mailer } = await rig({ onMail: async () => fate });
    await expect(mailer.send(mail)).rejects.toMatchObject(expected);
  });

  it('says so when nobody listens, or who listens hangs up', async () => {
    const dropping = createServer((socket: Socket) => void socket.destroy());
    await new Promise<void>((resolve) => dropping.listen(0, '127.0.0.1', resolve));
    const { port } = dropping.address() as AddressInfo;
    const mailer = new SmtpMailer({ settings: () => ({ host: '127.0.0.1', port, from: 'a@b.example' }) });
    await expect(mailer.send(mail)).rejects.toThrow();
    await new Promise<void>((resolve) => void dropping.close(() => resolve()));
    await expect(mailer.send(mail)).rejects.toMatchObject({ code: expect.stringMatching(/ECONNREFUSED|ESOCKET/) });
  });

  it('has one recipient and the headers we gave it, whatever stands in its words', async () => {
    const { mailServer, mailer } = await rig({});
    for (const text of hostileTexts) {
      await mailer.send({ to: 'ops@example.org', ...mailContent(message({ title: text, text, casualties: [text] })) });
    }
    for (const { to, mail: parsed } of mailServer.mails) {
      expect(to).toEqual(['ops@example.org']);
      expect(parsed.headers.map(({ key }) => key).filter((key) => key === 'bcc' || key === 'cc')).toEqual([]);
      expect(parsed.subject).toMatch(/^\[dev-eu\] /);
    }
    expect(mailServer.mails).toHaveLength(hostileTexts.length);
  });
});
