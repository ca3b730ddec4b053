import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const userVerifiedFlag = 0x04;

/** A passkey in memory that answers challenges as a browser and its authenticator would. */
export class SoftwarePasskey {
  readonly id = randomBytes(16);
  /** What the browser says of the page that asked. */
  crossOrigin = false;
  /** Whom the passkey names, when it does. */
  userHandle: string | undefined;
  counter = 0;
  /** Whether whoever holds it has shown that it is theirs, by a finger or a PIN. */
  userVerified = true;
  readonly #privateKey: KeyObject;
  readonly #publicKey: { x: Buffer; y: Buffer };

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    this.#publicKey = { x: Buffer.from(x!, 'base64url'), y: Buffer.from(y!, 'base64url') };
  }

  register(challenge: string, origin: string, rpId: string): Record<string, unknown> {
    const { x, y } = this.#publicKey;
    const cose = map([1, 2], [3, -7], [-1, 1], [-2, x], [-3, y]);
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cose]);
    const authData = this.#authData(rpId, 0x41, attested);
    return this.#response('webauthn.create', challenge, origin, () => ({
      attestationObject: map(['fmt', 'none'], ['attStmt', {}], ['authData', authData]).toString('base64url'),
      transports: ['internal'],
    }));
  }

  authenticate(challenge: string, origin: string, rpId: string): Record<string, unknown> {
    this.counter++;
    const authData = this.#authData(rpId, 0x01, Buffer.alloc(0));
    return this.#response('webauthn.get', challenge, origin, (clientData) => ({
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#privateKey).toString('base64url'),
      ...(this.userHandle === undefined ? {} : { userHandle: this.userHandle }),
    }));
  }

  #authData(rpId: string, flags: number, rest: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const told = this.userVerified ? flags | userVerifiedFlag : flags;
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([told]), counter, rest]);
  }

  #response(type: string, challenge: string, origin: string, more: (clientData: Buffer) => object) {
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: this.crossOrigin }));
    const id = this.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: clientData.toString('base64url'), ...more(clientData) },
    };
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

type Cbor = number | string | Buffer | Record<string, never>;

function map(...pairs: readonly (readonly [number | string, Cbor])[]): Buffer {
  return Buffer.concat([head(5, pairs.length), ...pairs.flatMap(([key, value]) => [cbor(key), cbor(value)])]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return head(5, 0);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 0xff]);
}
