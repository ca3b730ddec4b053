import { createHash } from 'node:crypto';
import type { Random } from '../../ports/random.ts';
import { type Keys, sameBytes } from '../sign-in/keys.ts';
import { SealedAddress } from '../sign-in/sealed-address.ts';

/** One passkey as it is stored in `svc-passkeys`, under the key of its owner. */
export interface StoredPasskey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  /** The owner's address, sealed: stored data names nobody. */
  readonly owner: string;
}

type Stored = StoredPasskey & { readonly mac: string };

/** ConfigMap keys take few characters, and an address in plain text belongs to nobody who may list them. */
export function ownerKey(address: string): string {
  return createHash('sha256').update(`passkeys of ${address}`).digest('hex');
}

/** Reads and writes records that only we can have written: a pasted or changed one is ignored. */
export class PasskeyRecords {
  readonly #keys: Keys;
  readonly #addresses: SealedAddress;

  constructor(keys: Keys, random: Random) {
    this.#keys = keys;
    this.#addresses = new SealedAddress(keys, random, 'passkey-record');
  }

  seal(address: string): string {
    return this.#addresses.seal(address);
  }

  /** The owner's address; undefined when it was sealed by another secret. */
  unseal(sealed: string): string | undefined {
    return this.#addresses.unseal(sealed);
  }

  encode(key: string, records: readonly StoredPasskey[]): string {
    return JSON.stringify(records.map((record) => ({ ...record, mac: this.#mac(key, record).toString('base64url') })));
  }

  /** What is genuine under this key; everything else is left out. */
  decode(key: string, text: string | undefined): readonly StoredPasskey[] {
    return parse(text).flatMap((stored) => {
      const { mac, ...record } = stored;
      const genuine = sameBytes(Buffer.from(mac, 'base64url'), this.#mac(key, record));
      const address = genuine ? this.unseal(record.owner) : undefined;
      return address !== undefined && ownerKey(address) === key ? [record] : [];
    });
  }

  #mac(key: string, record: StoredPasskey): Buffer {
    const { id, publicKey, counter, transports, name, createdAt, lastUsedAt, owner } = record;
    const fields = [id, publicKey, String(counter), transports.join(','), name, createdAt, lastUsedAt ?? '', owner];
    return this.#keys.mac('passkey-record', key, ...fields);
  }
}

function parse(text: string | undefined): readonly Stored[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter(isStored) : [];
  } catch {
    return [];
  }
}

function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  const texts = ['id', 'publicKey', 'name', 'createdAt', 'owner', 'mac'].every(
    (key) => typeof fields[key] === 'string',
  );
  const { counter, transports } = fields;
  return texts && typeof counter === 'number' && Array.isArray(transports);
}
