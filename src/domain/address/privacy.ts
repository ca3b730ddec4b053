import { normaliseDomain, parseAddress } from './address.ts';

/** `config.auth.privacy`. */
export interface PrivacySettings {
  readonly anonymizeLogsEnabled: boolean;
  readonly domains: readonly string[];
}

/**
 * The address as logs, stored data and cards carry it: `a***@example.com` for a listed domain, else unchanged. The same
 * address always gives the same text, and a text that is shortened already stays as it is, so it may be applied twice.
 */
export function shownAddress(address: string, privacy: PrivacySettings): string {
  if (!privacy.anonymizeLogsEnabled || privacy.domains.length === 0) return address;
  const at = address.lastIndexOf('@');
  const parsed = parseAddress(address);
  const domain = parsed.ok ? parsed.address.domain : normaliseDomain(address.slice(at + 1));
  const listed = privacy.domains.some((entry) => normaliseDomain(entry) === domain);
  if (at < 0 || domain === undefined || !listed) return address;
  return `${shortened(parsed.ok ? parsed.address.local : address.slice(0, at))}@${domain}`;
}

/** One or two letters would be most of the name. */
function shortened(local: string): string {
  const characters = [...local];
  const first = characters[0];
  return first === undefined || first === '*' || characters.length < 3 ? '***' : `${first}***`;
}
