import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export interface SelfSigned {
  /** PEM. The certificate is its own authority. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate for local servers in tests and benchmarks, made afresh, so that no key lies in the repository. */
export function selfSigned(hosts: readonly string[]): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(hosts[0] ?? 'localhost')))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames(hosts), authority)),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const whole = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  const cert = new X509Certificate(whole).toString();
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(part: Uint8Array): Buffer {
  return der(0x31, part);
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

/** basicConstraints, critical: an authority. */
const authority = sequence(
  oid(0x55, 0x1d, 0x13),
  der(0x01, Buffer.of(0xff)),
  der(0x04, sequence(der(0x01, Buffer.of(0xff)))),
);

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) => (isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, addressBytes(host))));
  return sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(...names)));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  if (address === '::1') return Buffer.from([...Array(15).fill(0), 1]);
  throw new Error(`Only IPv4 addresses and ::1 are supported in a test certificate, not ${address}.`);
}
