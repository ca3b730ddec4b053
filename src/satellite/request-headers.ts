/** The few headers that a satellite looks at. */
export interface RequestHeaders {
  readonly host?: string;
  readonly accept?: string;
  readonly 'user-agent'?: string;
  readonly 'x-forwarded-proto'?: string;
  readonly 'content-length'?: string;
  readonly 'transfer-encoding'?: string;
}

const wanted: ReadonlySet<string> = new Set([
  'host',
  'accept',
  'user-agent',
  'x-forwarded-proto',
  'content-length',
  'transfer-encoding',
]);
const lengths: ReadonlySet<number> = new Set([...wanted].map((name) => name.length));

/** Picks them from the raw list, since making an object of all of them would cost more than the rest of the answer. */
export function pickHeaders(rawHeaders: readonly string[]): RequestHeaders {
  const picked: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index]!;
    if (!lengths.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (wanted.has(name)) picked[name] ??= rawHeaders[index + 1]!;
  }
  return picked;
}
