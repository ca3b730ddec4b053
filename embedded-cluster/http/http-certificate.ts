import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const OID_COMMON_NAME = [0x55, 0x04, 0x03];
const OID_ECDSA_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const OID_ALTERNATIVE_NAMES = [0x55, 0x1d, 0x11];
const OID_BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13];

/**
 * A self-signed certificate for loopback. kubectl sends a bearer token only over TLS, and Node can use certificates
 * but not make them, so the few structures are written out here.
 */
export function loopbackCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(OID_ECDSA_SHA256));
  const name = sequence(set(sequence(oid(OID_COMMON_NAME), tagged(0x0c, Buffer.from('embedded-cluster')))));
  // Fixed dates: the cluster's clock may be anywhere, and the file is thrown away with the process.
  const validity = sequence(generalizedTime('20200101000000Z'), generalizedTime('21200101000000Z'));
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternativeNames(), authority())),
  );
  const signature = sign('sha256', content, privateKey);
  const der = sequence(content, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: pem(der) };
}

function alternativeNames(): Buffer {
  const names = sequence(
    tagged(0x82, Buffer.from('localhost')),
    tagged(0x87, Buffer.from([127, 0, 0, 1])),
    tagged(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])),
  );
  return sequence(oid(OID_ALTERNATIVE_NAMES), tagged(0x04, names));
}

/** It signs itself, so it is its own authority. */
function authority(): Buffer {
  const isAuthority = sequence(tagged(0x01, Buffer.from([0xff])));
  return sequence(oid(OID_BASIC_CONSTRAINTS), tagged(0x01, Buffer.from([0xff])), tagged(0x04, isAuthority));
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

function oid(bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function generalizedTime(text: string): Buffer {
  return tagged(0x18, Buffer.from(text));
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
