import type { PathSegment, Problem } from './config-error.ts';
import { nearestName } from './formats/nearest-name.ts';
import { quote } from './formats/quote.ts';
import type {
  EitherNode,
  ListNode,
  MapNode,
  Node,
  NumberNode,
  RecordNode,
  ScalarNode,
  TextNode,
} from './formats/value-types.ts';

type At = readonly PathSegment[];

/**
 * Checks one value against its node and returns it with defaults filled in. Where it is wrong, a problem is noted and a
 * blank of the right shape stands in, so that the rules between fields can still look at everything else.
 */
export function readValue(node: Node, input: unknown, at: At, problems: Problem[]): unknown {
  const refuse = (message: string) => {
    problems.push({ at, message });
    return blank(node);
  };
  switch (node.kind) {
    case 'text':
      return readText(node, input, refuse);
    case 'flag':
      return typeof input === 'boolean' ? input : refuse(mismatch('true or false', input, /^(true|false)$/));
    case 'number':
      return readNumber(node, input, refuse);
    case 'scalar':
      return readScalar(node, input, refuse);
    case 'list':
      return Array.isArray(input) ? readList(node, input, at, problems) : refuse(mismatch('a list', input));
    case 'map':
      return isMap(input) ? readMap(node, input, at, problems) : refuse(mismatch('a map of keys and values', input));
    case 'record':
      return isMap(input) ? readRecord(node, input, at, problems) : refuse(mismatch('a map of keys and values', input));
    case 'either':
      return readEither(node, input, at, problems);
  }
}

type Refuse = (message: string) => unknown;

function readText(node: TextNode, input: unknown, refuse: Refuse): unknown {
  const value = node.onOff && typeof input === 'boolean' ? (input ? 'on' : 'off') : input;
  if (typeof value !== 'string') return refuse(notText(node, value));
  if (value === '') return readEmptyText(node, refuse);
  if (value.length > node.maxLength) {
    return refuse(`must have at most ${node.maxLength} characters, not ${value.length}`);
  }
  const problem = node.choices === undefined ? node.format?.check(value) : choiceProblem(node.choices, value);
  return problem === undefined ? value : refuse(problem);
}

function readEmptyText(node: TextNode, refuse: Refuse): unknown {
  if (node.presence === 'required') return refuse(missing(node));
  const meansNothing = node.presence === 'defaulted' && node.default === '';
  return meansNothing || (node.format === undefined && node.choices === undefined) ? '' : refuse('must not be empty');
}

/** A bare number is often a duration without its unit; quotes alone would not make it right. */
function notText(node: TextNode, input: unknown): string {
  const further = typeof input === 'number' ? node.format?.check(String(input)) : undefined;
  return further === undefined ? mismatch('text', input) : `must be text, not ${describe(input)}; ${further}`;
}

function choiceProblem(choices: readonly string[], value: string): string | undefined {
  if (choices.includes(value)) return undefined;
  const allowed = choices.length === 1 ? choices[0] : `one of ${choices.join(', ')}`;
  return `must be ${allowed}, not ${quote(value)}`;
}

function readNumber(node: NumberNode, input: unknown, refuse: Refuse): unknown {
  const wanted = node.integer ? 'a whole number' : 'a number';
  if (typeof input !== 'number' || Number.isNaN(input)) return refuse(mismatch(wanted, input, /^-?[0-9.]+$/));
  if (input < node.min || input > node.max) return refuse(`must be from ${node.min} to ${node.max}, not ${input}`);
  if (node.integer && !Number.isInteger(input)) return refuse(`must be a whole number, not ${input}`);
  return input;
}

function readScalar(node: ScalarNode, input: unknown, refuse: Refuse): unknown {
  if (typeof input === 'boolean') return input;
  if (typeof input === 'string') {
    if (input === '') return refuse('must not be empty');
    const { maxLength } = node.format;
    if (input.length > maxLength) return refuse(`must have at most ${maxLength} characters, not ${input.length}`);
    const problem = node.format.check(input);
    return problem === undefined ? input : refuse(problem);
  }
  if (typeof input !== 'number') return refuse(mismatch('true, false, a whole number or a text', input));
  if (Number.isInteger(input) && input >= 0 && input <= node.max) return input;
  return refuse(`must be a whole number from 0 to ${node.max}, not ${input}`);
}

function readList(node: ListNode, input: readonly unknown[], at: At, problems: Problem[]): unknown {
  if (input.length > node.maxItems) {
    problems.push({ at, message: `must have at most ${node.maxItems} entries, not ${input.length}` });
    return [];
  }
  return Array.from(input, (item, index) => readValue(node.item, item, [...at, index], problems));
}

function readMap(node: MapNode, input: Readonly<Record<string, unknown>>, at: At, problems: Problem[]): unknown {
  const keys = Object.keys(input);
  if (keys.length > node.maxItems) {
    problems.push({ at, message: `must have at most ${node.maxItems} entries, not ${keys.length}` });
    return {};
  }
  const entries: [string, unknown][] = [];
  for (const key of keys) {
    const place = [...at, key];
    const problem = keyProblem(node, key);
    if (problem !== undefined) problems.push({ at: place, message: `the key ${problem}` });
    const given = input[key] ?? undefined;
    if (given !== undefined) entries.push([key, readValue(node.item, given, place, problems)]);
  }
  return Object.fromEntries(entries);
}

function keyProblem(node: MapNode, key: string): string | undefined {
  if (key === '') return 'must not be empty';
  return key.length > node.key.maxLength
    ? `must have at most ${node.key.maxLength} characters, not ${key.length}`
    : node.key.check(key);
}

function readRecord(node: RecordNode, input: Readonly<Record<string, unknown>>, at: At, problems: Problem[]): unknown {
  const known = Object.keys(node.fields);
  for (const key of Object.keys(input)) {
    if (!Object.hasOwn(node.fields, key)) problems.push({ at: [...at, key], message: unknownKey(key, known) });
  }
  const entries: [string, unknown][] = [];
  for (const [key, field] of Object.entries(node.fields)) {
    // Helm takes a null for "unset", and so do we: the field is as good as absent.
    const given = Object.hasOwn(input, key) ? (input[key] ?? undefined) : undefined;
    if (given !== undefined) entries.push([key, readValue(field, given, [...at, key], problems)]);
    else if (field.presence === 'defaulted') entries.push([key, blank(field)]);
    else if (field.presence === 'required') {
      problems.push({ at: [...at, key], message: missing(field) });
      entries.push([key, blank(field)]);
    }
  }
  return Object.fromEntries(entries);
}

function readEither(node: EitherNode, input: unknown, at: At, problems: Problem[]): unknown {
  if (typeof input === 'string') return readValue(node.text, input, at, problems);
  if (isMap(input)) return readRecord(node.record, input, at, problems);
  problems.push({ at, message: mismatch('text or a map of keys and values', input) });
  return '';
}

/** The value of a node that says nothing: its default, filled in to the leaves. */
export function blank(node: Node): unknown {
  switch (node.kind) {
    case 'list':
      return readValue(node, node.default, [], []);
    case 'map':
      return {};
    case 'record':
      return readRecord(node, {}, [], []);
    case 'either':
      return '';
    default:
      return node.default;
  }
}

function isMap(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function missing(node: Node): string {
  return `is required: ${node.description}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  if (near !== undefined) return `is not a known key; did you mean ${near}?`;
  return known.length <= 12 ? `is not a known key; known here: ${known.join(', ')}` : 'is not a known key';
}

/** `unquoted` tells texts that would be right without their quotes. */
function mismatch(wanted: string, input: unknown, unquoted?: RegExp): string {
  if (typeof input === 'string' && unquoted?.test(input)) {
    return `must be ${wanted}, not the text ${quote(input)}; write it without quotes`;
  }
  const message = `must be ${wanted}, not ${describe(input)}`;
  const bare = typeof input === 'number' || typeof input === 'boolean';
  return wanted === 'text' && bare ? `${message}; put it in quotes` : message;
}

/** A text is not repeated: where a map belongs, it may be a webhook's URL, which is a credential. */
function describe(input: unknown): string {
  if (input === null || input === undefined) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'string') return 'a text';
  if (typeof input === 'number') return `the number ${input}`;
  if (typeof input === 'boolean') return String(input);
  return typeof input === 'object' ? 'a map of keys and values' : `a ${typeof input}`;
}
