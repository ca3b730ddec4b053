import { product } from '../names.ts';
import type { EpochMs } from '../workload.ts';

/** What a license says, once its signature has been found good. */
export interface License {
  readonly id: string;
  readonly licensee: string;
  readonly issuedAt: EpochMs;
  /** Absent for a license that does not expire. */
  readonly expiresAt?: EpochMs;
}

/** Answers whether the Ed25519 signature is that of these bytes; throws when it cannot tell. */
export type VerifySignature = (publicKey: string, bytes: Uint8Array, signature: Uint8Array) => boolean;

const word = `${product.toUpperCase()} LICENSE`;
const begin = `-----BEGIN ${word}-----`;
const end = `-----END ${word}-----`;
const signatureLength = 64;

export interface LicenseBlock {
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** Between the two lines: base64 of the payload, a JSON text, followed by its signature. */
export function formatLicense({ payload, signature }: LicenseBlock): string {
  const base64 = toBase64(new Uint8Array([...payload, ...signature]));
  return [begin, ...(base64.match(/.{1,64}/g) ?? []), end, ''].join('\n');
}

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** White space around the block and around its lines is allowed, and nothing else. */
export function readBlock(text: string): Read<LicenseBlock> {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim());
  if (lines[0] !== begin) return refuse(`The license must begin with the line ${begin}.`);
  if (lines.length < 2 || lines.at(-1) !== end) return refuse(`The license must end with the line ${end}.`);
  const bytes = fromBase64(lines.slice(1, -1).join(''));
  if (bytes === undefined) return refuse('The text between the two lines of the license is not base64.');
  if (bytes.length <= signatureLength) return refuse('The license is too short to hold a signature.');
  return {
    ok: true,
    value: { payload: bytes.slice(0, -signatureLength), signature: bytes.slice(-signatureLength) },
  };
}

export function licensePayload({ id, licensee, issuedAt, expiresAt }: License): Uint8Array {
  const json = {
    version: 1,
    id,
    licensee,
    issuedAt: new Date(issuedAt).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
  return new TextEncoder().encode(JSON.stringify(json));
}

/** Only for bytes whose signature was found good: what it then says is the issuer's word. */
export function readPayload(payload: Uint8Array): Read<License> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return refuse('The license holds no JSON.');
  }
  const { version, id, licensee, issuedAt, expiresAt } = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (version !== 1) return refuse('The license is of a version that this release does not know.');
  if (typeof id !== 'string' || typeof licensee !== 'string') return refuse('The license names no licensee.');
  const issued = instant(issuedAt);
  const expires = expiresAt === undefined ? undefined : instant(expiresAt);
  if (issued === undefined || (expiresAt !== undefined && expires === undefined)) {
    return refuse('The license has a date that cannot be read.');
  }
  return {
    ok: true,
    value: { id, licensee, issuedAt: issued, ...(expires === undefined ? {} : { expiresAt: expires }) },
  };
}

function instant(value: unknown): EpochMs | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Strict: padding where it belongs and no bit that is ignored, so that one license has one text. */
function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const binary = atob(text);
  return btoa(binary) === text ? Uint8Array.from(binary, (character) => character.charCodeAt(0)) : undefined;
}

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
