import type { Random } from '../ports/random.ts';

const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const NAME_SUFFIX_LENGTH = 5;
const MAX_GENERATED_BASE = 63 - NAME_SUFFIX_LENGTH;

/** The apiserver's generateName: the base, cut to fit, and five letters that spell nothing. */
export function generatedName(base: string, random: Random): string {
  let name = base.slice(0, MAX_GENERATED_BASE);
  for (let i = 0; i < NAME_SUFFIX_LENGTH; i++) name += NAME_ALPHABET[Math.floor(random.next() * NAME_ALPHABET.length)];
  return name;
}

export function uuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  let hex = '';
  for (const byte of bytes) hex += HEX[byte];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** RFC 3339 with seconds, as the apiserver writes times. */
export function timestamp(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}

/** Many objects are written within one second of the clock. */
let lastSecond = Number.NaN;
let lastText = '';
