import { type Address, normaliseDomain, parseAddress } from './address.ts';

/** An empty list allows every domain; a listed domain does not stand for its subdomains. */
export function isAllowedDomain(address: Address, allowedDomains: readonly string[]): boolean {
  return allowedDomains.length === 0 || isListedDomain(address, allowedDomains);
}

/** Whether the domain is listed by name: an empty list lets everybody in, and makes nobody one of the company. */
export function isListedDomain(address: Address, domains: readonly string[]): boolean {
  return domains.some((domain) => normaliseDomain(domain) === address.domain);
}

/** Whether the address is one of `config.auth.adminUsers`; an entry that is no address makes nobody an admin. */
export function isAdmin(address: Address, adminUsers: readonly string[]): boolean {
  return adminUsers.some((entry) => {
    const parsed = parseAddress(entry);
    return parsed.ok && parsed.address.text === address.text;
  });
}
