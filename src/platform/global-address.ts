import { BlockList, isIP, isIPv4 } from 'node:net';

// Special-purpose ranges (IANA): nothing of them is somebody's public server.
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's own, inside every virtual network: metadata, DNS, health probes.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Inside 2000::/3, which is all that is global: protocol assignments, documentation, and IPv4 in disguise. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const refused = new BlockList();
const global6 = new BlockList();
for (const cidr of special4) refused.addSubnet(...parts(cidr), 'ipv4');
for (const cidr of special6) refused.addSubnet(...parts(cidr), 'ipv6');
global6.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address is somebody's server on the internet: not private, not this machine, not a cloud's metadata, not an
 * IPv4 address in an IPv6 coat.
 */
export function isGlobalAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  // IPv4 in an IPv6 coat lies outside of 2000::/3 and is refused with the rest.
  return global6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** Networks of companies. Beside them, inside the same ranges: metadata services of Alibaba, of AWS, of Google, of Oracle and of Scaleway. */
const private4 = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16'];
const metadata4 = '100.100.100.200';
const metadata6 = ['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:c1::a9fe:a9fe/128', 'fd00:42::42/128'];

const inside = new BlockList();
const metadata = new BlockList();
for (const cidr of private4) inside.addSubnet(...parts(cidr), 'ipv4');
inside.addSubnet('fc00::', 7, 'ipv6');
metadata.addAddress(metadata4, 'ipv4');
for (const cidr of metadata6) metadata.addSubnet(...parts(cidr), 'ipv6');

/** Whether an address is a server inside a company: never this machine, its link, or a cloud's metadata. */
export function isPrivateAddress(address: string): boolean {
  const family = { 4: 'ipv4', 6: 'ipv6' } as const;
  const version = isIP(address);
  if (version !== 4 && version !== 6) return false;
  // Node takes an IPv4 address in an IPv6 coat for what is inside; we do not connect to coats.
  if (version === 6 && !/^f[cd]/i.test(address)) return false;
  return inside.check(address, family[version]) && !metadata.check(address, family[version]);
}

function parts(cidr: string): [string, number] {
  const [address = '', bits] = cidr.split('/');
  return [address, Number(bits)];
}
