/** Why a name is not allowed, in the apiserver's words; empty when it is. */
export type NameRule = (name: string) => readonly string[];

const SUBDOMAIN_MAX = 253;
const LABEL_MAX = 63;
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';

function rule(pattern: string, max: number, sentence: string, examples: readonly string[]): NameRule {
  const expression = new RegExp(`^${pattern}$`);
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return (name) => [
    ...(name.length > max ? [`must be no more than ${max} bytes`] : []),
    ...(expression.test(name) ? [] : [`${sentence} (e.g. ${shown}regex used for validation is '${pattern}')`]),
  ];
}

const subdomain = rule(
  SUBDOMAIN,
  SUBDOMAIN_MAX,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  ['example.com'],
);

const label = rule(
  LABEL,
  LABEL_MAX,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  ['my-name', '123-abc'],
);

const label1035 = rule(
  LABEL_1035,
  LABEL_MAX,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ['my-name', 'abc-123'],
);

/** Anything that can stand in a path. */
const pathSegment: NameRule = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%']
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
};

export function nameRule(storage: string): NameRule {
  if (storage === 'namespaces') return label;
  if (storage === 'services') return label1035;
  return storage.endsWith('.rbac.authorization.k8s.io') ? pathSegment : subdomain;
}
