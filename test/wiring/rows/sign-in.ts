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

const hidden = 'gertrude@hidden.example';
const always = 'gertrude@always.example';

export const signInRows: readonly Row[] = [
  {
    keys: { 'smtp.port': { start: ['first'], reload: ['second'] } },
    in: 'api',
    seen: 'which mail server gets the code of a sign-in',
    start: ({ mailPort }) => ({ smtp: { port: mailPort } }),
    reload: ({ otherMailPort }) => ({ smtp: { port: otherMailPort } }),
    async see({ service, outside, look }) {
      const address = `port-${look}@example.com`;
      await service.signIn(address);
      const servers = { first: outside.mailServer, second: outside.otherMailServer };
      const got = Object.entries(servers).filter(([, { mails }]) => mails.some(({ to }) => to.includes(address)));
      return { 'smtp.port': got.map(([name]) => name) };
    },
  },
  {
    keys: {
      'auth.tokenExpiry': { start: 2, reload: 3 },
      'auth.refreshExpiry': { start: 5, reload: 7 },
      clusterName: { start: 'Sign in to first', reload: 'Sign in to second' },
      externalUrl: { start: 'https://first.example.com', reload: 'https://second.example.com' },
      'smtp.from': { start: 'first@example.com', reload: 'second@example.com' },
    },
    in: 'api',
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
    async see({ service }) {
      const now = Date.now();
      const { expiresAt, refreshExpiresAt, mail } = await service.signIn('expiry@example.com');
      const hours = (instant: string) => Math.round((Date.parse(instant) - now) / hour);
      return {
        'auth.tokenExpiry': hours(expiresAt),
        'auth.refreshExpiry': hours(refreshExpiresAt),
        clusterName: mail.mail.subject,
        externalUrl: /(\S+)\/#\/sign-in\?link=/.exec(mail.mail.text ?? '')?.[1],
        'smtp.from': mail.mail.from?.address,
      };
    },
  },
  {
    keys: { 'smtp.host': { start: 'sent', reload: 'no such host' } },
    in: 'api',
    seen: 'the warning about a code that could not be sent',
    start: { smtp: { host: '127.0.0.1' } },
    reload: { alone: { smtp: { host: 'nowhere.test' } } },
    async see({ service, outside, look }) {
      const address = `host-${look}@example.com`;
      const from = service.log.api.length;
      await service.visitor.requestOtp({ body: { email: address } });
      const failed = () =>
        service.log.api
          .slice(from)
          .some(({ level, error }) =>
            level === 'error' || level === 'warn' ? String(error).includes('ENOTFOUND') : false,
          );
      const seen = await until('the mail, or why there is none', () => {
        if (outside.mailsTo(address).length > 0) return 'sent';
        return failed() ? 'no such host' : undefined;
      });
      return { 'smtp.host': seen };
    },
  },
  {
    keys: { 'smtp.enabled': { start: 'taken', reload: 'smtp_disabled' } },
    in: 'api',
    seen: 'whether a sign-in is refused with `SMTP is disabled`',
    start: { smtp: { enabled: true } },
    reload: { alone: { smtp: { enabled: false } } },
    see: async ({ service, look }) => ({
      'smtp.enabled': await refusal(service.visitor.requestOtp({ body: { email: `enabled-${look}@example.com` } })),
    }),
  },
  {
    keys: { 'auth.adminUsers': { start: ['taken', 'forbidden'], reload: ['forbidden', 'taken'] } },
    in: 'api',
    seen: 'who gets 403 from a route for admins',
    start: { auth: { adminUsers: [admin, 'first@example.com'] } },
    reload: { auth: { adminUsers: [admin, 'second@example.com'] } },
    async see({ service }) {
      const list = async (address: string) => refusal((await service.as(address)).resources({}));
      return { 'auth.adminUsers': [await list('first@example.com'), await list('second@example.com')] };
    },
  },
  {
    keys: {
      'auth.allowedEmailDomains': { start: ['taken', 'domain_not_allowed'], reload: ['domain_not_allowed', 'taken'] },
    },
    in: 'api',
    seen: 'for which addresses no code can be asked',
    start: { auth: { allowedEmailDomains: ['example.com', 'always.example', 'hidden.example', 'first.example'] } },
    reload: { auth: { allowedEmailDomains: ['example.com', 'always.example', 'hidden.example', 'second.example'] } },
    async see({ service }) {
      const ask = (email: string) => refusal(service.visitor.requestOtp({ body: { email } }));
      return { 'auth.allowedEmailDomains': [await ask('a@first.example'), await ask('a@second.example')] };
    },
  },
  {
    keys: { 'auth.privacy.anonymizeLogsEnabled': { start: 'g***@always.example', reload: always } },
    in: 'api',
    seen: 'how `GET /api/v1/auth/me` shows an address of a domain that is listed',
    start: { auth: { privacy: { anonymizeLogsEnabled: true } } },
    reload: { alone: { auth: { privacy: { anonymizeLogsEnabled: false } } } },
    see: async (looking) => ({ 'auth.privacy.anonymizeLogsEnabled': await shownAs(looking, always) }),
  },
  {
    keys: { 'auth.privacy.domains': { start: 'g***@hidden.example', reload: hidden } },
    in: 'api',
    seen: 'which addresses `GET /api/v1/auth/me` shows in full',
    start: { auth: { privacy: { domains: ['always.example', 'hidden.example'] } } },
    reload: { auth: { privacy: { domains: ['always.example', 'second.example'] } } },
    see: async (looking) => ({ 'auth.privacy.domains': await shownAs(looking, hidden) }),
  },
  {
    keys: {
      'auth.webauthn.displayName': { start: 'First', reload: 'Second' },
      'auth.webauthn.rpId': { start: 'example.com', reload: 'second.example.com' },
    },
    in: 'api',
    seen: 'name and relying party of the passkey prompt',
    start: { auth: { webauthn: { displayName: 'First', rpId: 'example.com' } } },
    reload: { auth: { webauthn: { displayName: 'Second', rpId: 'second.example.com' } } },
    async see(looking) {
      const { id, name } = await passkeyPrompt(looking);
      return { 'auth.webauthn.displayName': name, 'auth.webauthn.rpId': id };
    },
  },
  {
    keys: { 'auth.webauthn.enabled': { start: 'taken', reload: 'feature_disabled' } },
    in: 'api',
    seen: 'whether a passkey can be registered',
    start: { auth: { webauthn: { enabled: true } } },
    reload: { alone: { auth: { webauthn: { enabled: false } } } },
    see: async (looking) => ({ 'auth.webauthn.enabled': await refusal(passkeyPrompt(looking)) }),
  },
];
