import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, userAddress } from '../../../test/support/api-world.ts';
import { CookieJar } from '../../../test/support/cookie-jar.ts';
import { MailServer } from '../../../test/support/mail-server.ts';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.ts';
import type { Mail } from '../../ports/mailer.ts';
import { mailRoom } from './mail-queue.ts';

let world: ApiWorld;
let mailServer: MailServer | undefined;
afterEach(async () => {
  await world.stop();
  await mailServer?.close();
  mailServer = undefined;
});

const codeIn = (text: string | undefined) => /\b\d{8}\b/.exec(text ?? '')?.[0] ?? '';

describe('codes asked for while the mail server is slow', () => {
  it('two thousand at once take two connections; as many as there is room for arrive, and a known browser waits for none of it', async () => {
    let gate = Promise.resolve();
    const server = new MailServer({ onMail: () => gate.then(() => 'take') });
    mailServer = server;
    const port = await server.listen();
    world = await ApiWorld.start({
      mailer: () => new SmtpMailer({ settings: () => ({ host: '127.0.0.1', port, from: 'no-reply@svc.example.com' }) }),
    });
    const taken = (address: string) => server.mails.filter(({ to }) => to.includes(address));
    const person = new CookieJar(world);
    await person.ask(userAddress);
    await expect.poll(() => taken(userAddress).length).toBe(1);
    expect((await person.verify(userAddress, codeIn(taken(userAddress)[0]!.mail.text))).statusCode).toBe(200);

    const opened = Promise.withResolvers<void>();
    gate = opened.promise;
    const { app } = world.running.api.server;
    const answers = await world.settle(
      Promise.all(
        Array.from({ length: 2_000 }, (_, index) =>
          app.inject({
            method: 'POST',
            url: '/api/v1/auth/request-otp',
            payload: { email: `person${index}@example.com` },
          }),
        ),
      ),
    );
    // Nobody is refused, since that would tell whom a code is for; there is room for so many.
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    await expect.poll(() => server.open).toBe(2);
    expect(server.mostOpen).toBe(2);

    expect((await person.ask(userAddress)).statusCode).toBe(200);
    await expect.poll(() => server.open).toBe(3);
    opened.resolve();
    await expect.poll(() => server.mails.length, { timeout: 150_000 }).toBe(1 + 2 + mailRoom.stranger + 1);
    expect(server.mails.findLastIndex(({ to }) => to.includes(userAddress))).toBeLessThan(6);
    expect(server.mostOpen).toBe(3);
    expect((await person.verify(userAddress, codeIn(taken(userAddress)[1]!.mail.text))).statusCode).toBe(200);
    // There is room again.
    expect((await world.call('requestOtp', { body: { email: 'late@example.com' } })).statusCode).toBe(200);
    await expect.poll(() => taken('late@example.com').length).toBe(1);
  });

  it('by who hangs up before the answer keep no room', async () => {
    const mails: Mail[] = [];
    world = await ApiWorld.start({
      port: 0,
      host: '127.0.0.1',
      mailer: () => ({ send: async (mail) => void mails.push(mail) }),
    });
    const port = Number(new URL(world.running.url).port);
    for (let index = 0; index < mailRoom.stranger + 20; index++) {
      const body = JSON.stringify({ email: `person${index}@example.com` });
      const head = `POST /api/v1/auth/request-otp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(head + body, () => socket.resetAndDestroy()));
        socket.on('error', () => {});
        socket.on('close', () => resolve());
      });
    }
    expect((await world.call('requestOtp', { body: { email: userAddress } })).statusCode).toBe(200);
  });
});
