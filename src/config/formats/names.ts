import { kindNames, listed } from '../../domain/kinds/kinds.ts';
import { patternFormat } from './pattern-format.ts';
import { quote } from './quote.ts';

const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const hostLabel = '[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?';
const host = `${hostLabel}(\\.${hostLabel})*`;

/** Names that people read; control characters would break logs, mails and cards. */
export const displayName = patternFormat({
  name: 'string',
  rule: 'one line of at most 100 characters, not blank',
  pattern: '^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$',
  maxLength: 100,
  otherwise: 'contains a line break or another control character; write it on one line',
  diagnose: (text) => (/^ +$/.test(text) ? `${quote(text)} is blank; write something to read` : undefined),
});

export const shortName = patternFormat({
  name: 'name',
  rule: 'lower-case letters, digits and hyphens, at most 63 characters, beginning and ending with a letter or digit',
  pattern: `^${dnsLabel}$`,
  maxLength: 63,
  otherwise: 'is not a name of lower-case letters, digits and hyphens that begins and ends with a letter or digit',
});

export const objectName = patternFormat({
  name: 'name',
  rule: 'the name of a Kubernetes object',
  pattern: `^${dnsLabel}(\\.${dnsLabel})*$`,
  maxLength: 253,
  otherwise: 'is not the name of a Kubernetes object: lower-case letters, digits, hyphens and dots',
});

export const dataKey = patternFormat({
  name: 'key',
  rule: 'a key of the Secret: letters, digits, `-`, `_` and `.`',
  pattern: '^[-._a-zA-Z0-9]+$',
  maxLength: 253,
  otherwise: 'is not a key of a Secret: letters, digits, -, _ and .',
});

/** `*` and `?` alone are special, which a matcher follows in bounded time; there are no regular expressions. */
export const glob = patternFormat({
  name: 'pattern',
  rule: 'a name in which `*` stands for any characters and `?` for one, such as `kube-*`',
  pattern: '^[a-z0-9.*?-]+$',
  maxLength: 253,
  otherwise: 'is not a pattern: lower-case letters, digits, hyphens, dots, * for any characters and ? for one',
});

/** Singular or plural, as people know them from kubectl and from manifests. */
export const workloadType = patternFormat({
  name: 'workload type',
  rule: `${kindNames.map((kind) => `\`${kind}\``).join(', ')} or a kind that \`targeting.kinds\` describes; lower case and plural are understood`,
  pattern: '^[A-Za-z][A-Za-z0-9]*$',
  maxLength: 64,
  otherwise: `is not a type: write ${listed(kindNames)}`,
});

export const labelKey = patternFormat({
  name: 'label key',
  rule: 'a label or annotation key',
  pattern: `^(${dnsLabel}(\\.${dnsLabel})*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`,
  maxLength: 317,
  otherwise: 'is not a label key such as app.kubernetes.io/name',
});

export const emailDomain = patternFormat({
  name: 'domain',
  rule: 'a mail domain, without `@`',
  pattern: `^${host}$`,
  maxLength: 253,
  otherwise: 'is not a domain such as example.com',
  diagnose: (text) =>
    text.startsWith('@') ? `${quote(text)} begins with @; write ${quote(text.slice(1))}` : undefined,
});

/** ASCII only: look-alike letters of other scripts must not pass for an admin's address. */
export const email = patternFormat({
  name: 'email',
  rule: 'one mail address',
  pattern: `^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@${host}$`,
  maxLength: 254,
  otherwise: 'is not a mail address such as ops@example.com',
  diagnose: (text) => (text.includes('<') ? `${quote(text)} has a display name; write the address alone` : undefined),
});

export const mailHost = patternFormat({
  name: 'host',
  rule: 'a host name or IP address, without scheme and port',
  pattern: '^[A-Za-z0-9._:-]+$',
  maxLength: 253,
  otherwise: 'is not a host name such as mail.example.com',
  diagnose(text) {
    if (text.includes('://')) return `${quote(text)} has a scheme; write the host alone`;
    if (/^[^:]*:[0-9]*$/.test(text)) return `${quote(text)} has a port; write it in smtp.port`;
    return undefined;
  },
});

const ipv6 = '[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}';

export const hostPattern = patternFormat({
  name: 'host pattern',
  rule: 'a host name in which `*` stands for any characters, such as `*.example.com`, or an address such as `10.0.0.5` or `fd00::2`',
  pattern: `^([a-z0-9.*-]+|${ipv6}|\\[${ipv6}\\])$`,
  maxLength: 253,
  otherwise: 'is not a host pattern such as *.example.com, in lower case',
  diagnose(text) {
    if (text.includes('://')) return `${quote(text)} has a scheme; write the host alone`;
    if (text.includes('/')) return `${quote(text)} has a path; write the host alone`;
    if (/^[^:]*:[0-9]*$|\]:[0-9]*$/.test(text)) return `${quote(text)} has a port; write the host alone`;
    return undefined;
  },
});

export const hostName = patternFormat({
  name: 'host',
  rule: 'a host name',
  pattern: `^${host}$`,
  maxLength: 253,
  otherwise: 'is not a host name such as example.com',
});

export const holidayRegion = patternFormat({
  name: 'region code',
  rule: 'country, optionally state and region, such as `DE`, `DE-BY` or `US-LA-NO`',
  pattern: '^[A-Z]{2}(-[A-Z0-9]{1,16}){0,2}$',
  maxLength: 36,
  otherwise: 'is not a region code such as DE, DE-BY or US-LA-NO, in upper case',
});

export const awsRegion = patternFormat({
  name: 'region',
  rule: 'an AWS region such as `eu-central-1`',
  pattern: '^[a-z]{2,4}(-[a-z]+)+-[0-9]+$',
  maxLength: 32,
  otherwise: 'is not an AWS region such as eu-central-1',
});

export const databaseIdentifier = patternFormat({
  name: 'identifier',
  rule: 'letters, digits and hyphens, at most 63, beginning with a letter',
  pattern: '^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$',
  maxLength: 63,
  otherwise: 'is not the identifier of a database: letters, digits and hyphens, beginning with a letter',
});

export const tagKey = patternFormat({
  name: 'tag key',
  rule: 'letters, digits, spaces and `_.:/=+-@`, at most 128 characters',
  pattern: '^[A-Za-z0-9_.:/=+@ -]+$',
  maxLength: 128,
  otherwise: 'is not a tag key: letters, digits, spaces and _.:/=+-@',
});
