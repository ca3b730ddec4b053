/** An e-mail address in the one form that is compared, stored and written to. */
export interface Address {
  readonly text: string;
  readonly local: string;
  readonly domain: string;
}

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly message: string };

const longest = 254;
const longestLocal = 64;

/**
 * Takes plain addresses only: no display names, quotes, comments or domain literals, which nobody signs in with and
 * which are how headers get injected. Letters that merely look like others stay other letters.
 */
export function parseAddress(input: string): ParsedAddress {
  const text = input.trim();
  if (text === '') return refuse('An e-mail address is needed.');
  if (new TextEncoder().encode(text).length > longest) return refuse(`The address is longer than ${longest} bytes.`);
  if (hasHiddenCharacters(text)) return refuse('The address contains a space, a line break or an invisible character.');
  const [local, domain, ...rest] = text.split('@');
  if (local === undefined || domain === undefined || rest.length > 0) return refuse('The address must contain one @.');
  if (!isLocalPart(local)) return refuse('The part before the @ is not a plain mailbox name.');
  const normalDomain = normaliseDomain(domain);
  if (normalDomain === undefined) return refuse('The part after the @ is not a domain name.');
  const normalLocal = lowerAscii(local);
  return { ok: true, address: { text: `${normalLocal}@${normalDomain}`, local: normalLocal, domain: normalDomain } };
}

/** Lower case and, for international names, the ASCII form; undefined when it is no domain name. */
export function normaliseDomain(input: string): string | undefined {
  const labels = input.trim().split('.').map(asciiLabel);
  if (labels.some((label) => label === undefined)) return undefined;
  const domain = labels.join('.');
  const last = labels.at(-1);
  return domain.length <= 253 && last !== undefined && !/^\d+$/.test(last) ? domain : undefined;
}

const plainLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function asciiLabel(label: string): string | undefined {
  const lower = lowerAscii(label);
  if (/^[\0-\x7f]*$/.test(lower)) return plainLabel.test(lower) ? lower : undefined;
  // A label that compatibility folding would change is a look-alike: `ｅxample` is not `example`.
  if (/[\0-\x2c\x2e\x2f\x3a-\x60\x7b-\x7f]/.test(lower) || lower.normalize('NFKC') !== lower) return undefined;
  const host = URL.parse(`http://${lower}.invalid`)?.hostname.slice(0, -'.invalid'.length);
  return host?.startsWith('xn--') && plainLabel.test(host) ? host : undefined;
}

function isLocalPart(local: string): boolean {
  if (local === '' || new TextEncoder().encode(local).length > longestLocal) return false;
  if (local.normalize('NFKC') !== local) return false;
  // Without `%` and `!`, which mail servers may read as a way to another server, and `|` and `/`, a program or a file.
  return /^[\w#$&'*+=?^`{}~\-\p{L}\p{N}\p{M}]+(\.[\w#$&'*+=?^`{}~\-\p{L}\p{N}\p{M}]+)*$/u.test(local);
}

function hasHiddenCharacters(text: string): boolean {
  return /[\p{C}\p{Z}]/u.test(text);
}

/** ASCII only: full lower-casing would turn the Kelvin sign into a k, and one address into another. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function refuse(message: string): ParsedAddress {
  return { ok: false, message };
}
