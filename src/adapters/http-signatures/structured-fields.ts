// The two headers of a signature as Structured Fields (RFC 9651), in their canonical form only: another spelling of the
// same value would have another signature base, so whatever does not serialize back to the same text is refused.
import {
  type BareItem,
  type Dictionary,
  isInnerList,
  parseDictionary,
  serializeByteSequence,
  serializeDictionary,
  serializeInnerList,
} from 'structured-headers';

export type ParameterValue = string | number;

export interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  /** The inner list with its parameters, as it was sent: what the signature covers. */
  readonly text: string;
}

const componentName = /^[a-z0-9@_-]{1,64}$/;

/** One signature, no more: with several, what was checked and what was meant could differ. */
export function parseSignatureInput(header: string): SignatureInput | undefined {
  const member = onlyMember(header, 4_096);
  if (member === undefined || !isInnerList(member.value)) return undefined;
  const [items, parameters] = member.value;
  const components = items.map(([name, itemParameters]) => (itemParameters.size === 0 ? name : undefined));
  if (!components.every(isComponentName) || new Set(components).size !== components.length) return undefined;
  if (!isKnownKind(parameters)) return undefined;
  return { label: member.label, components, parameters, text: serializeInnerList(member.value) };
}

export function serializeSignatureInput(
  components: readonly string[],
  parameters: Iterable<readonly [string, ParameterValue]>,
): string {
  return serializeInnerList([components.map((name) => [name, new Map()]), new Map(parameters)]);
}

/** A dictionary of one member, whose value is bytes. */
export function parseBytesMember(header: string): { readonly label: string; readonly bytes: Uint8Array } | undefined {
  const member = onlyMember(header, 2_048);
  if (member === undefined) return undefined;
  const [bytes, parameters] = member.value;
  return bytes instanceof ArrayBuffer && parameters.size === 0
    ? { label: member.label, bytes: new Uint8Array(bytes) }
    : undefined;
}

export function serializeBytes(bytes: Uint8Array): string {
  return serializeByteSequence(Uint8Array.from(bytes));
}

type Member = Dictionary extends Map<string, infer Value> ? Value : never;

function onlyMember(header: string, longest: number): { readonly label: string; readonly value: Member } | undefined {
  if (header.length > longest) return undefined;
  try {
    const dictionary = parseDictionary(header);
    const [member, ...more] = dictionary;
    if (member === undefined || more.length > 0 || serializeDictionary(dictionary) !== header) return undefined;
    return { label: member[0], value: member[1] };
  } catch {
    return undefined;
  }
}

function isComponentName(value: BareItem | undefined): value is string {
  return typeof value === 'string' && componentName.test(value);
}

/** Texts and whole numbers from 0 are all that a parameter of ours can be; tokens, dates and the rest are refused. */
function isKnownKind(parameters: ReadonlyMap<string, BareItem>): parameters is ReadonlyMap<string, ParameterValue> {
  return [...parameters.values()].every(
    (value) => typeof value === 'string' || (Number.isSafeInteger(value) && (value as number) >= 0),
  );
}
