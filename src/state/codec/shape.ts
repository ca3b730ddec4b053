import type { WorkloadKind } from '../../domain/kinds/kinds.ts';
import type { EpochMs } from '../../domain/workload.ts';

/** Thrown by the readers below and turned into a message by the codec; it never leaves this folder. */
export class ShapeError extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

/** `where` names the place in the value: `entry 3`, `entry 3, field at`, or nothing for the value itself. */
export function wrong(where: string, expected: string, got: unknown): ShapeError {
  return new ShapeError(`${where === '' ? 'it' : where} must be ${expected}, not ${shown(got)}.`);
}

export function object(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(where, 'an object', value);
  return value as Fields;
}

function array(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(where, 'an array', value);
  return value;
}

/** Reads each element with its place; people count from 1. */
export function elements<T>(value: unknown, where: string, read: (element: unknown, where: string) => T): T[] {
  const prefix = where === '' ? 'entry' : `${where}, entry`;
  return array(value, where).map((element, index) => read(element, `${prefix} ${index + 1}`));
}

export function place(where: string, field: string): string {
  return where === '' ? `field ${field}` : `${where}, field ${field}`;
}

export function text(fields: Fields, field: string, where: string, most = 1024): string {
  const value = own(fields, field);
  if (typeof value !== 'string' || value === '') throw wrong(place(where, field), 'a text that is not empty', value);
  if (value.length > most) throw wrong(place(where, field), `a text of at most ${most} characters`, value);
  return value;
}

export function optionalText(fields: Fields, field: string, where: string, most = 1024): string | undefined {
  return own(fields, field) === undefined ? undefined : text(fields, field, where, most);
}

/** A text that may be empty and as long as it likes: the words of others. */
export function string(fields: Fields, field: string, where: string): string {
  const value = own(fields, field);
  if (typeof value !== 'string') throw wrong(place(where, field), 'a text', value);
  return value;
}

/** A list of texts; an absent one is empty. */
export function strings(fields: Fields, field: string, where: string): readonly string[] {
  return optionalStrings(fields, field, where) ?? [];
}

export function optionalStrings(fields: Fields, field: string, where: string): readonly string[] | undefined {
  const value = own(fields, field);
  if (value === undefined) return undefined;
  return elements(value, place(where, field), (element, at) => {
    if (typeof element !== 'string') throw wrong(at, 'a text', element);
    return element;
  });
}

/** An object whose keys are names; each value is read with its place. `fromEntries` keeps a name like `__proto__` a name. */
export function mapOf<T>(
  value: unknown,
  where: string,
  read: (value: unknown, where: string, name: string) => T,
): Readonly<Record<string, T>> {
  const entries = Object.entries(object(value, where));
  return Object.fromEntries(entries.map(([name, one]) => [name, read(one, `${where}, ${shownName(name)}`, name)]));
}

/** Names mapped to texts; an absent map is empty. */
export function stringMap(fields: Fields, field: string, where: string): Readonly<Record<string, string>> {
  return mapOf(own(fields, field) ?? {}, place(where, field), (value, at) => {
    if (typeof value !== 'string') throw wrong(at, 'a text', value);
    return value;
  });
}

export function flag(fields: Fields, field: string, where: string): boolean {
  const value = own(fields, field);
  if (typeof value !== 'boolean') throw wrong(place(where, field), 'true or false', value);
  return value;
}

export function wholeNumber(fields: Fields, field: string, where: string, most: number): number {
  const value = own(fields, field);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most) {
    throw wrong(place(where, field), `a whole number from 0 to ${most}`, value);
  }
  return value === 0 ? 0 : value;
}

/** Any number: one that was measured, and may have been measured over a clock that was set back. */
export function finiteNumber(fields: Fields, field: string, where: string): number {
  const value = own(fields, field);
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong(place(where, field), 'a number', value);
  return value;
}

/** The last instant that a date can hold. */
const lastInstant = 8_640_000_000_000_000;

/** An instant as milliseconds since 1970: the form of those that only the controller reads. */
export function epochField(fields: Fields, field: string, where: string): EpochMs {
  return amount(fields, field, where, 'a time in milliseconds since 1970');
}

export function milliseconds(fields: Fields, field: string, where: string): number {
  return amount(fields, field, where, 'a number of milliseconds');
}

function amount(fields: Fields, field: string, where: string, expected: string): number {
  const value = own(fields, field);
  if (typeof value !== 'number' || !(value >= 0 && value <= lastInstant)) {
    throw wrong(place(where, field), expected, value);
  }
  return value === 0 ? 0 : value;
}

/** A mark that is there or not: `false` would be a second way to say the latter. */
export function only(fields: Fields, field: string, where: string): true {
  const value = own(fields, field);
  if (value !== true) throw wrong(place(where, field), 'true or absent', value);
  return value;
}

export function oneOf<T extends string>(fields: Fields, field: string, where: string, allowed: readonly T[]): T {
  const value = own(fields, field);
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw wrong(place(where, field), `one of ${allowed.join(', ')}`, value);
  return found;
}

const kindName = /^[A-Za-z][A-Za-z0-9]{0,62}$/;

/** Any kind: one that the configuration does not describe any more may have a record still. */
export function workloadKind(fields: Fields, where: string): WorkloadKind {
  const value = own(fields, 'kind');
  if (typeof value !== 'string' || !kindName.test(value)) throw wrong(place(where, 'kind'), 'a kind', value);
  return value;
}

const kubernetesName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** The name of an object or namespace: anything else in its place could not exist in a cluster. */
export function objectName(value: unknown, where: string): string {
  if (typeof value !== 'string' || !kubernetesName.test(value)) throw wrong(where, 'a Kubernetes name', value);
  return value;
}

export function nameField(fields: Fields, field: string, where: string): string {
  return objectName(own(fields, field), place(where, field));
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/** RFC 3339 in UTC, the one form in which the state holds instants. */
export function instantField(fields: Fields, field: string, where: string): EpochMs {
  const value = own(fields, field);
  const at = typeof value === 'string' && instant.test(value) ? parseInstant(value) : undefined;
  if (at === undefined) throw wrong(place(where, field), 'a UTC time such as 2026-01-31T18:00:00Z', value);
  return at;
}

/** The 30th of February is no date, though the parser would take it for the 2nd of March. */
function parseInstant(value: string): EpochMs | undefined {
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  return new Date(at).toISOString().slice(0, 10) === value.slice(0, 10) ? at : undefined;
}

export function optionalInstant(fields: Fields, field: string, where: string): EpochMs | undefined {
  return own(fields, field) === undefined ? undefined : instantField(fields, field, where);
}

/** Whole seconds lose their `.000`: eight thousand records are that much smaller. */
export function instantText(at: EpochMs): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** Refuses two elements that speak of the same thing: choosing one of them would be a guess. */
export function refuseDuplicates<T>(values: readonly T[], keyOf: (value: T) => string): void {
  const seen = new Set<string>();
  for (const value of values) {
    const key = keyOf(value);
    if (seen.has(key)) throw new ShapeError(`${key} is there twice.`);
    seen.add(key);
  }
}

/** Only what the text itself holds: `constructor` and its kin are no fields. */
export function own(fields: Fields, field: string): unknown {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

/** Leaves fields out instead of writing them as undefined. */
export function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function shownName(name: string): string {
  return name.length > 60 ? `${name.slice(0, 59)}…` : name;
}

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 59)}…` : json;
}
