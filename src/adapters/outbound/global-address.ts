import ipaddr from 'ipaddr.js';

/**
 * Whether an address is somebody's server on the internet: not private, not this machine, not a cloud's metadata, not an
 * IPv4 address in an IPv6 coat.
 */
export function isGlobalAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // Only 2000::/3 is given out; the rest of IPv6 that has no name yet may become anything.
  return parsed.kind() === 'ipv4' || ((parsed as ipaddr.IPv6).parts[0]! & 0xe000) === 0x2000;
}
