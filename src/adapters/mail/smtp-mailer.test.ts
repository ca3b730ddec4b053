import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryInbox } from '../../../demo/memory-inbox.ts';
import { SmtpMailer } from './smtp-mailer.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** A mail server of a few lines: takes one mail and keeps what it was told. */
async function mailServer(answer = '250 taken'): Promise<{ port: number; said: string[] }> {
  const said: string[] = [];
  const talk = (socket: Socket) => {
    let inData = false;
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
        said.push(line);
        if (inData) {
          if (line === '.') {
            inData = false;
            socket.write('250 queued\r\n');
          }
        } else if (line === 'DATA') {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (line.startsWith('RCPT')) socket.write(`${answer}\r\n`);
        else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 test\r\n');
      }
    });
  };
  const listening = createServer(talk);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return { port: (listening.address() as { port: number }).port, said };
}

const mailer = (port: number) =>
  new SmtpMailer({ settings: () => ({ host: '127.0.0.1', port, from: 'no-reply@svc.local' }) });

describe('the mailer', () => {
  it('hands a mail to the configured server', async () => {
    const { port, said } = await mailServer();
    await mailer(port).send({ to: 'ada@example.com', subject: 'Sign in', text: 'Your code: 01234567' });
    expect(said).toContain('MAIL FROM:<no-reply@svc.local>');
    expect(said).toContain('RCPT TO:<ada@example.com>');
    expect(said).toContain('Subject: Sign in');
    expect(said).toContain('Your code: 01234567');
  });

  it('rejects with the words of the server', async () => {
    const { port } = await mailServer('550 no such user');
    const sent = mailer(port).send({ to: 'ada@example.com', subject: 's', text: 't' });
    await expect(sent).rejects.toThrow('550 no such user');
  });

  const recipients = [
    'ada@example.com\r\nBcc: eve@evil.com',
    'ada@example.com, eve@evil.com',
    'Ada <ada@example.com>',
    '"ada@example.com eve"@evil.com',
    'ada@example.com@evil.com',
    'ada@example.com\0',
    'nobody',
  ];
  for (const to of recipients) {
    it(`takes no recipient like ${JSON.stringify(to)}`, async () => {
      const { port, said } = await mailServer();
      const sent = mailer(port).send({ to, subject: 's', text: 't' });
      await expect(sent).rejects.toThrow('the recipient is not one plain address');
      expect(said).toEqual([]);
    });
  }

  it('lets no subject add a header', async () => {
    const { port, said } = await mailServer();
    await mailer(port).send({ to: 'ada@example.com', subject: 'a\r\nBcc: eve@evil.com', text: 't' });
    expect(said.filter((line) => /^(RCPT TO:.*evil|Bcc:)/i.test(line))).toEqual([]);
  });

  it('says which setting is missing', async () => {
    const lost = new SmtpMailer({ settings: () => ({ host: '', port: 25, from: 'x@example.com' }) });
    await expect(lost.send({ to: 'a@example.com', subject: '', text: '' })).rejects.toThrow(
      'config.smtp.host is not set',
    );
  });
});

describe('the inbox of the demo', () => {
  it('keeps the newest mails', async () => {
    const heard: string[] = [];
    const inbox = new MemoryInbox({ kept: 2, onMail: ({ subject }) => heard.push(subject) });
    for (const subject of ['1', '2', '3']) await inbox.send({ to: 'a@example.com', subject, text: '' });
    expect(inbox.mails.map(({ subject }) => subject)).toEqual(['2', '3']);
    expect([inbox.last('a@example.com')?.subject, inbox.last('b@example.com'), heard]).toEqual([
      '3',
      undefined,
      ['1', '2', '3'],
    ]);
  });
});
