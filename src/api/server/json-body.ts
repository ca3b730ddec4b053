import { invalid } from '../call/refusal.ts';

const deepest = 32;

/** JSON from the wire: valid UTF-8, not too deep, and no key that means something to JavaScript itself. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw invalid('', 'is not valid JSON in UTF-8');
  }
  refuseHostile(value, 1);
  return value;
}

function refuseHostile(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepest) throw invalid('', `is nested deeper than ${deepest} levels`);
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__') throw invalid(key, 'is not allowed');
    refuseHostile(child, depth + 1);
  }
}

export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';', 50)) {
    const equals = part.indexOf('=');
    const name = part.slice(0, equals).trim();
    const value = part.slice(equals + 1).trim();
    // The first of a name is the most specific one.
    if (equals > 0 && /^[\w.-]{1,4096}$/.test(value) && !cookies.has(name)) cookies.set(name, value);
  }
  return cookies;
}
