import { displayName, email, emailDomain, hostName } from '../formats/names.ts';
import { duration } from '../formats/times.ts';
import { flag, list, record, text } from '../formats/value-types.ts';

export const auth = record(
  {
    adminUsers: list(text({ format: email, description: 'An address.' }), {
      description: 'Mail addresses of the admins.',
    }),
    allowedEmailDomains: list(text({ format: emailDomain, description: 'A domain.' }), {
      rule: 'read again whenever an access token is issued',
      description: 'Domains whose users may sign in; empty allows all.',
    }),
    tokenExpiry: text({
      default: '24h',
      format: duration('1m', '720h'),
      description: 'Lifetime of an access token.',
    }),
    refreshExpiry: text({
      default: '168h',
      format: duration('1m', '8760h'),
      description: 'Lifetime of a refresh token.',
    }),
    privacy: record(
      {
        anonymizeLogsEnabled: flag({ default: true, description: 'Anonymize addresses of the domains below.' }),
        domains: list(text({ format: emailDomain, description: 'A domain.' }), {
          description:
            'Domains whose addresses are anonymized; while empty addresses are logged and stored as they are.',
        }),
      },
      { description: 'How addresses appear in logs, stored data and cards.' },
    ),
    webauthn: record(
      {
        enabled: flag({
          default: false,
          description: 'Offer passkeys and security keys; the emailed code always remains.',
        }),
        displayName: text({
          default: '',
          format: displayName,
          description: 'Name in the passkey prompt; the cluster name while empty.',
        }),
        rpId: text({
          default: '',
          format: hostName,
          rule: 'the host of the own address, or a parent of it with at least two labels',
          description: 'Relying party id; while empty the host of `config.internalUrl`, else of `config.externalUrl`.',
        }),
      },
      { description: 'Passkeys.' },
    ),
  },
  { description: 'Who may sign in, and for how long.' },
);
