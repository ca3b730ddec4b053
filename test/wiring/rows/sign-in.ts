import { expect } from 'vitest';
import { refusal } from '../harness/refused.ts';
import type { Looking, Row } from '../harness/rows.ts';
import { until } from '../harness/until.ts';

export const admin = 'ada@example.com';

const hour = 3_600_000;

const shownAs = async ({ service }: Looking, address: string) => (await (await service.as(address)).me()).user.shownAs;

/** The prompt that a browser would show for a passkey. */
const passkeyPrompt = async ({ service }: Looking) => {
  const { options } = await (await service.as(admin)).passkeyRegistrationOptions();
  return (options as { readonly rp: { readonly id: string; readonly name: string } }).rp;
};

export const signInRows: readonly Row[] = [
  {
    keys: ['smtp.port'],
    seen: 'which mail server gets the code of a sign-in',
    start: ({ mailPort }) => ({ smtp: { port: mailPort } }),
    reload: ({ otherMailPort }) => ({ smtp: { port: otherMailPort } }),
    async look({ service, outside, moment }) {
      const address = `port-${moment}@example.com`;
      await service.signIn(address);
      const servers = [outside.mailServer, outside.otherMailServer];
      const got = servers.map(({ mails }) => mails.some(({ to }) => to.includes(address)));
      expect(got).toEqual(moment === 'start' ? [true, false] : [false, true]);
    },
  },
  {
    keys: ['auth.tokenExpiry', 'auth.refreshExpiry', 'clusterName', 'externalUrl', 'smtp.from'],
    seen: 'the expiry dates of the tokens of a sign-in; subject, link and sender of its mail',
    start: {
      clusterName: 'first',
      externalUrl: 'https://first.example.com',
      smtp: { from: 'first@example.com' },
      auth: { tokenExpiry: '2h', refreshExpiry: '5h' },
    },
    reload: {
      clusterName: 'second',
      externalUrl: 'https://second.example.com',
      smtp: { from: 'second@example.com' },
      auth: { tokenExpiry: '3h', refreshExpiry: '7h' },
    },
    async look({ service, moment }) {
      const now = Date.now();
      const { expiresAt, refreshExpiresAt, mail } = await service.signIn('expiry@example.com');
      const hours = (instant: string) => Math.round((Date.parse(instant) - now) / hour);
      expect([hours(expiresAt), hours(refreshExpiresAt)]).toEqual(moment === 'start' ? [2, 5] : [3, 7]);
      const name = moment === 'start' ? 'first' : 'second';
      expect(mail.mail.subject).toBe(`Sign in to ${name}`);
      expect(mail.mail.text).toContain(`https://${name}.example.com/#/sign-in?link=`);
      expect(mail.mail.from?.address).toBe(`${name}@example.com`);
    },
  },
  {
    keys: ['smtp.host'],
    seen: 'the warning about a code that could not be sent',
    start: { smtp: { host: '127.0.0.1' } },
    reload: { smtp: { host: 'localhost' } },
    async look({ service, outside, moment }) {
      const ask = async (address: string) => {
        const from = service.log.api.length;
        await service.visitor.requestOtp({ body: { email: address } });
        const failed = () =>
          service.log.api
            .slice(from)
            .some(({ level, error }) =>
              level === 'error' || level === 'warn' ? String(error).includes('ENOTFOUND') : false,
            );
        return until('the mail, or why there is none', () => {
          if (outside.mailsTo(address).length > 0) return 'sent';
          return failed() ? 'no such host' : undefined;
        });
      };
      expect(await ask(`host-${moment}@example.com`)).toBe('sent');
      if (moment === 'start') return;
      await service.with({ smtp: { host: 'nowhere.test' } }, async () => {
        expect(await ask('nowhere@example.com')).toBe('no such host');
      });
    },
  },
  {
    keys: ['smtp.enabled'],
    seen: 'whether a sign-in is refused with `SMTP is disabled`',
    start: { smtp: { enabled: true } },
    reload: 'own',
    async look({ service, moment }) {
      const ask = () => refusal(service.visitor.requestOtp({ body: { email: `enabled-${moment}@example.com` } }));
      if (moment === 'start') return expect(await ask()).toBe('taken');
      await service.with({ smtp: { enabled: false } }, async () => expect(await ask()).toBe('smtp_disabled'));
    },
  },
  {
    keys: ['auth.adminUsers'],
    seen: 'who gets 403 from a route for admins',
    start: { auth: { adminUsers: [admin, 'first@example.com'] } },
    reload: { auth: { adminUsers: [admin, 'second@example.com'] } },
    async look({ service, moment }) {
      const list = async (address: string) => refusal((await service.as(address)).resources({}));
      const seen = [await list('first@example.com'), await list('second@example.com')];
      expect(seen).toEqual(moment === 'start' ? ['taken', 'forbidden'] : ['forbidden', 'taken']);
    },
  },
  {
    keys: ['auth.allowedEmailDomains'],
    seen: 'for which addresses no code can be asked',
    start: { auth: { allowedEmailDomains: ['example.com', 'hidden.example', 'first.example'] } },
    reload: { auth: { allowedEmailDomains: ['example.com', 'hidden.example', 'second.example'] } },
    async look({ service, moment }) {
      const ask = (email: string) => refusal(service.visitor.requestOtp({ body: { email } }));
      const seen = [await ask('a@first.example'), await ask('a@second.example')];
      expect(seen).toEqual(moment === 'start' ? ['taken', 'domain_not_allowed'] : ['domain_not_allowed', 'taken']);
    },
  },
  {
    keys: ['auth.privacy.domains', 'auth.privacy.anonymizeLogsEnabled'],
    seen: 'how `GET /api/v1/auth/me` shows an address',
    start: { auth: { privacy: { anonymizeLogsEnabled: true, domains: ['hidden.example'] } } },
    reload: { auth: { privacy: { anonymizeLogsEnabled: true, domains: ['second.example'] } } },
    async look(looking) {
      const { service, moment } = looking;
      const address = 'gertrude@hidden.example';
      expect(await shownAs(looking, address)).toBe(moment === 'start' ? 'g***@hidden.example' : address);
      if (moment === 'start') return;
      const privacy = { anonymizeLogsEnabled: false, domains: ['hidden.example'] };
      await service.with({ auth: { privacy } }, async () => expect(await shownAs(looking, address)).toBe(address));
    },
  },
  {
    keys: ['auth.webauthn.displayName', 'auth.webauthn.rpId'],
    seen: 'name and relying party of the passkey prompt',
    start: { auth: { webauthn: { displayName: 'First', rpId: 'example.com' } } },
    reload: { auth: { webauthn: { displayName: 'Second', rpId: 'second.example.com' } } },
    async look(looking) {
      const start = { id: 'example.com', name: 'First' };
      const reload = { id: 'second.example.com', name: 'Second' };
      expect(await passkeyPrompt(looking)).toEqual(looking.moment === 'start' ? start : reload);
    },
  },
  {
    keys: ['auth.webauthn.enabled'],
    seen: 'whether a passkey can be registered',
    start: { auth: { webauthn: { enabled: true } } },
    reload: 'own',
    async look(looking) {
      const { service, moment } = looking;
      const prompt = () => refusal(passkeyPrompt(looking));
      if (moment === 'start') return expect(await prompt()).toBe('taken');
      await service.with({ auth: { webauthn: { enabled: false } } }, async () => {
        expect(await prompt()).toBe('feature_disabled');
      });
    },
  },
];
