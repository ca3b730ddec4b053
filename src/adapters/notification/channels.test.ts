import { createHmac, randomBytes } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { degraded, place } from '../../../test/support/examples/notice-examples.ts';
import { MailServer } from '../../../test/support/mail-server.ts';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { parseConfig } from '../../config/config.ts';
import { ControllerMetrics } from '../../controller/metrics/metrics.ts';
import { DeliveryLog } from '../../controller/notifications/delivery-log.ts';
import { createNotifier } from '../../controller/notifications/notifier.ts';
import { type ChannelName, destinationsOf } from '../../domain/notification/destinations.ts';
import { messageOf } from '../../domain/notification/message.ts';
import { cryptographicRandom } from '../../platform/random.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { sleep } from '../../ports/clock.ts';
import { SmtpMailer } from '../mail/smtp-mailer.ts';
import { HttpClient } from '../outbound/http-client.ts';
import { createChannels } from './channels.ts';
import { sendTestNotification } from './test-notification.ts';

const server = new RecordingServer();
let base = '';
beforeEach(async () => {
  server.requests.length = 0;
  server.answer = (_request, response) => response.end('1');
  base = await server.listen();
});
afterEach(() => server.close());

const key = randomBytes(32);
const never = new AbortController().signal;
const message = messageOf(degraded, place);

function rig(more: { readonly proxyURL?: string; readonly smtpPort?: number; readonly smtpEnabled?: boolean } = {}) {
  const hooks = (path: string, extra: object = {}) => ({
    enabled: true,
    webhooks: [{ url: `${base}${path}?sig=secret`, ...extra }],
  });
  const parsed = parseConfig({
    clusterName: 'dev-eu',
    externalUrl: 'https://svc.example.com',
    ...(more.proxyURL === undefined ? {} : { proxyURL: more.proxyURL }),
    smtp: { enabled: more.smtpEnabled ?? true, host: '127.0.0.1', port: more.smtpPort ?? 1, from: 'svc@example.com' },
    notifications: {
      enabled: true,
      channels: {
        email: { enabled: true, recipients: ['ops@example.org'] },
        teams: hooks('/teams'),
        slack: hooks('/slack'),
        webhook: hooks('/json', { secretRef: { name: 'pager', key: 'hmac' } }),
      },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { config } = parsed;
  const channels = createChannels({
    clock: systemClock,
    random: cryptographicRandom,
    mailer: new SmtpMailer({ settings: () => config.smtp }),
    web: new HttpClient({ allowed: () => true }),
    keys: { keys: async () => [key] },
    config: () => config,
  });
  const destinations = destinationsOf(config.notifications.channels, config.auth.privacy);
  const send = async (name: ChannelName) => {
    const destination = destinations.find(({ channel }) => channel === name)!;
    for (const shipment of channels[name].shipments(destination, message)) await shipment(never);
  };
  return { config, channels, send };
}

describe('what is put on the wire', () => {
  it('Teams gets a card, Slack blocks, a program signed JSON', async () => {
    const { send } = rig();
    await send('teams');
    await send('slack');
    await send('webhook');
    const [teams, slack, json] = server.requests.map(({ body }) => JSON.parse(body));
    expect(server.requests.map(({ url, method }) => `${method} ${url}`)).toEqual([
      'POST /teams?sig=secret',
      'POST /slack?sig=secret',
      'POST /json?sig=secret',
    ]);
    expect(teams.attachments[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { version: '1.5' },
    });
    expect(slack.attachments[0].blocks[0].text.text).toBe('Wake Complete - 2 workloads failed');
    expect(json).toMatchObject({ event: 'wakeFailed', cluster: 'dev-eu', failed: degraded.casualties });
  });

  it('the signed one can be verified by whoever has the key, and by nobody else', async () => {
    await rig().send('webhook');
    // One was sent, so one is there; the destructuring fails if not.
    const [{ headers, method, url }] = server.requests as unknown as [(typeof server.requests)[0]];
    const verify = (with_: Uint8Array) =>
      httpbis.verifyMessage(
        {
          keyLookup: async () => ({
            algs: ['hmac-sha256'],
            verify: async (data: Buffer, signature: Buffer) =>
              createHmac('sha256', with_).update(data).digest().equals(signature),
          }),
          requiredFields: ['@method', '@target-uri', 'content-digest'],
        },
        { method, url: `${base}${url}`, headers: headers as Record<string, string> },
      );
    expect(await verify(key)).toBe(true);
    expect(await verify(randomBytes(32))).not.toBe(true);
    expect(headers['signature-input']).toMatch(/;keyid="dev-eu";tag="svc-notification"$/);
  });

  it('webhooks go through the proxy of the configuration', async () => {
    const proxy = new RecordingServer();
    const proxyURL = await proxy.listen();
    await rig({ proxyURL }).send('teams');
    await proxy.close();
    expect([proxy.requests.map(({ url }) => url), server.requests]).toEqual([[`${base}/teams?sig=secret`], []]);
  });
});

describe('an answer', () => {
  const rows: Record<string, [status: number, headers: Record<string, string>, text: string, expected: object]> = {
    'of 429 is tried again when the destination says': [
      429,
      { 'retry-after': '12' },
      '',
      { permanent: false, retryAfterMs: 12_000 },
    ],
    'of 503 is tried again': [503, {}, '', { permanent: false }],
    'of 400 is final': [400, {}, '', { permanent: true }],
    'of 404 is final': [404, {}, '', { permanent: true }],
    'that leads elsewhere is final, and not followed': [
      307,
      { location: 'http://169.254.169.254/' },
      '',
      { permanent: true },
    ],
    'of 200 that says it failed is tried again': [
      200,
      {},
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
      { permanent: false },
    ],
  };
  it.each(Object.entries(rows))('%s', async (_, [status, headers, text, expected]) => {
    server.answer = (_request, response) => response.writeHead(status, headers).end(text);
    await expect(rig().send('teams')).rejects.toMatchObject({
      message: `the destination answered ${status}`,
      ...expected,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('leaks nothing of what it holds, nor of where it came from', async () => {
    server.answer = (_request, response) => response.writeHead(500, { 'x-secret': 'canary' }).end('canary: root:x:0:0');
    const { config, channels } = rig();
    const told = await sendTestNotification({ clock: systemClock, channels, config: () => config }, 'teams');
    expect(told).toEqual({
      sent: false,
      message: `Sent to 0 of 1 destinations. teams 1 (127.0.0.1:${server.port}): the destination answered 500`,
    });
    server.answer = (_request, response) => void response.socket?.destroy();
    await expect(rig().send('teams')).rejects.toThrow(/^no answer came \(ECONNRESET\)$/);
  });
});

describe('a mail', () => {
  it('is taken, refused for good, or put off, and no address is repeated', async () => {
    const mailServer = new MailServer({
      onMail: async () => (['take', 'refuse', 'later'] as const)[mailServer.connections - 1] ?? 'take',
    });
    const { send } = rig({ smtpPort: await mailServer.listen() });
    await send('email');
    await expect(send('email')).rejects.toMatchObject({ message: 'the mail server answered 550', permanent: true });
    await expect(send('email')).rejects.toMatchObject({ message: 'the mail server answered 451', permanent: false });
    await mailServer.close();
    await expect(send('email')).rejects.toMatchObject({
      permanent: false,
      message: expect.stringMatching(/^the mail server did not take it \(E\w+\)$/),
    });
  });

  it('waits for a slow server, and is given up by the queue when the server is too slow', async () => {
    const mailServer = new MailServer({
      onMail: async () => {
        await sleep(systemClock, mailServer.connections === 1 ? 300 : 3_000);
        return 'take';
      },
    });
    const { channels, config, send } = rig({ smtpPort: await mailServer.listen() });
    await send('email');
    expect(mailServer.mails).toHaveLength(1);
    const hurried = { ...config.notifications, retry: { maxAttempts: 1, backoffSeconds: 1, timeoutSeconds: 1 } };
    const metrics = new ControllerMetrics();
    const log = new DeliveryLog(systemClock, { send() {} });
    const notifier = createNotifier({
      clock: systemClock,
      logger: silentLogger,
      log,
      metrics,
      channels,
      config: () => ({ ...config, notifications: hurried }),
    });
    notifier.notify(degraded, { sent: new Set(), ended() {} });
    await notifier.stop(2_000);
    expect(log.entries().find(({ channel }) => channel === 'email')).toMatchObject({
      outcome: 'failed',
      attempts: 1,
      error: 'no answer within 1 s',
    });
    await mailServer.close();
  });

  it('has the same Message-ID at every attempt', async () => {
    const mailServer = new MailServer();
    const { send } = rig({ smtpPort: await mailServer.listen() });
    await send('email');
    await send('email');
    const ids = mailServer.mails.map(({ mail }) => mail.messageId);
    expect(ids[0]).toMatch(/^<[0-9a-f]{32}@svc\.example\.com>$/);
    expect(ids[1]).toBe(ids[0]);
    await mailServer.close();
  });

  it('is not sent while SMTP is disabled', async () => {
    await expect(rig({ smtpEnabled: false }).send('email')).rejects.toMatchObject({
      message: 'SMTP is disabled',
      permanent: true,
    });
  });
});

describe('a test', () => {
  it('says how many it reached', async () => {
    const { config, channels } = rig();
    const options = { clock: systemClock, channels, config: () => config };
    expect(await sendTestNotification(options, 'teams')).toEqual({
      sent: true,
      message: 'Sent to 1 of 1 destinations.',
    });
    const off = {
      ...options,
      config: () => ({ ...config, notifications: { ...config.notifications, enabled: false } }),
    };
    expect(await sendTestNotification(off, 'teams')).toBeUndefined();
  });
});
