// The part of Structured Fields (RFC 8941) that signatures use, in its canonical form only: another spelling of the same
// value would have another signature base.

export type ParameterValue = string | number;

export interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  /** The inner list with its parameters, as it was sent: what the signature covers. */
  readonly text: string;
}

const label = '([a-z*][a-z0-9_.*-]{0,63})';
const component = '"[a-z0-9@_-]{1,64}"';
const parameter = ';[a-z*][a-z0-9_.*-]{0,31}=(?:[0-9]{1,15}|"[ !#-\\[\\]-~]{0,512}")';
const inputPattern = new RegExp(`^${label}=(\\(((?:${component}(?: ${component})*)?)\\)((?:${parameter})*))$`);

/** One signature, no more: with several, what was checked and what was meant could differ. */
export function parseSignatureInput(header: string): SignatureInput | undefined {
  if (header.length > 4_096) return undefined;
  const match = inputPattern.exec(header);
  if (match === null) return undefined;
  const [, labelText, text, list, tail] = match as unknown as [string, string, string, string, string];
  const components = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
  const parameters = new Map<string, ParameterValue>();
  for (const [, key, number, string] of tail.matchAll(/;([^=]+)=(?:(\d+)|"([^"]*)")/g)) {
    if (parameters.has(key!)) return undefined;
    parameters.set(key!, number === undefined ? string! : Number(number));
  }
  if (new Set(components).size !== components.length) return undefined;
  return { label: labelText, components, parameters, text };
}

export function serializeSignatureInput(
  components: readonly string[],
  parameters: Iterable<readonly [string, ParameterValue]>,
): string {
  const list = components.map((one) => `"${one}"`).join(' ');
  const tail = [...parameters].map(([key, value]) => `;${key}=${typeof value === 'number' ? value : quoted(value)}`);
  return `(${list})${tail.join('')}`;
}

const bytesPattern = new RegExp(`^${label}=:([A-Za-z0-9+/]{0,1024}={0,2}):$`);

/** A dictionary of one member, whose value is bytes. */
export function parseBytesMember(header: string): { readonly label: string; readonly bytes: Uint8Array } | undefined {
  const match = header.length > 2_048 ? null : bytesPattern.exec(header);
  if (match === null) return undefined;
  const bytes = Buffer.from(match[2]!, 'base64');
  // Base64 that decodes to the same bytes in two ways is not canonical.
  return bytes.toString('base64') === match[2] ? { label: match[1]!, bytes } : undefined;
}

export function serializeBytes(bytes: Uint8Array): string {
  return `:${Buffer.from(bytes).toString('base64')}:`;
}

function quoted(text: string): string {
  if (!/^[ !#-[\]-~]*$/.test(text)) throw new RangeError('a signature parameter holds a character that it may not');
  return `"${text}"`;
}
