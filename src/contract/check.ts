/** The part of JSON Schema that the contract uses. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export interface Problem {
  /** `resources[0].namespace`; empty for the whole value. */
  readonly field: string;
  readonly message: string;
}

/** The first thing that is wrong with a value, or undefined. Walks the schema; compiles nothing. */
export function firstProblem(schema: object, value: unknown, field = ''): Problem | undefined {
  const of = schema as Schema;
  if (of.anyOf !== undefined) return anyProblem(of.anyOf, value, field);
  if (of.const !== undefined) return value === of.const ? undefined : problem(field, `must be ${shown(of.const)}`);
  if (of.enum !== undefined) {
    return of.enum.includes(value) ? undefined : problem(field, `must be one of ${of.enum.join(', ')}`);
  }
  switch (of.type) {
    case 'object':
      return objectProblem(of, value, field);
    case 'array':
      return arrayProblem(of, value, field);
    case 'string':
      return textProblem(of, value, field);
    case 'integer':
    case 'number':
      return numberProblem(of, value, field);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : problem(field, 'must be true or false');
    case 'null':
      return value === null ? undefined : problem(field, 'must be null');
    default:
      return undefined;
  }
}

function anyProblem(options: readonly Schema[], value: unknown, field: string): Problem | undefined {
  const problems = options.map((option) => firstProblem(option, value, field));
  if (problems.includes(undefined)) return undefined;
  return problems.find((each) => each !== undefined && each.message !== 'must be null');
}

function objectProblem(of: Schema, value: unknown, field: string): Problem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return problem(field, 'must be an object');
  const absent = (of.required ?? []).find((name) => !Object.hasOwn(value, name));
  if (absent !== undefined) return problem(within(field, absent), 'is missing');
  for (const [name, child] of Object.entries(value)) {
    const found = memberProblem(of, name, child, within(field, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberProblem(of: Schema, name: string, value: unknown, field: string): Problem | undefined {
  const properties = of.properties ?? {};
  const schema = Object.hasOwn(properties, name) ? properties[name] : Object.values(of.patternProperties ?? {})[0];
  if (schema !== undefined) return value === undefined ? undefined : firstProblem(schema, value, field);
  return of.additionalProperties === false ? problem(field, `is not known here${knownNames(properties)}`) : undefined;
}

function arrayProblem(of: Schema, value: unknown, field: string): Problem | undefined {
  if (!Array.isArray(value)) return problem(field, 'must be a list');
  if (of.maxItems !== undefined && value.length > of.maxItems) {
    return problem(field, `has ${value.length} entries; at most ${of.maxItems} are allowed`);
  }
  for (const [index, item] of value.entries()) {
    const found = of.items === undefined ? undefined : firstProblem(of.items, item, `${field}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textProblem(of: Schema, value: unknown, field: string): Problem | undefined {
  if (typeof value !== 'string') return problem(field, 'must be a text');
  if (of.maxLength !== undefined && value.length > of.maxLength) {
    return problem(field, `is longer than ${of.maxLength} characters`);
  }
  if (of.minLength !== undefined && value.length < of.minLength) {
    return problem(field, `is shorter than ${of.minLength} characters`);
  }
  if (of.pattern !== undefined && !new RegExp(of.pattern).test(value)) {
    return problem(field, `must match ${of.pattern}`);
  }
  if (of.format === 'date-time' && !isInstant(value)) {
    return problem(field, 'must be a time such as 2026-12-24T18:00:00Z');
  }
  return undefined;
}

function numberProblem(of: Schema, value: unknown, field: string): Problem | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return problem(field, 'must be a number');
  if (of.type === 'integer' && !Number.isSafeInteger(value)) return problem(field, 'must be a whole number');
  if (of.minimum !== undefined && value < of.minimum) return problem(field, `must be at least ${of.minimum}`);
  if (of.maximum !== undefined && value > of.maximum) return problem(field, `must be at most ${of.maximum}`);
  return undefined;
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

function isInstant(value: string): boolean {
  return value.length <= 40 && instant.test(value) && !Number.isNaN(Date.parse(value));
}

/** Query and path parts arrive as text: numbers and booleans are read where the schema asks for them. */
export function fromText(schema: object, texts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = (schema as Schema).properties ?? {};
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [
      name,
      typeof value === 'string' && Object.hasOwn(properties, name) ? readText(properties[name]!, value) : value,
    ]),
  );
}

function readText(schema: Schema, text: string): unknown {
  if ((schema.type === 'integer' || schema.type === 'number') && /^-?\d{1,16}(\.\d{1,16})?$/.test(text)) {
    return Number(text);
  }
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function knownNames(properties: Readonly<Record<string, Schema>>): string {
  const names = Object.keys(properties);
  return names.length === 0 ? '' : `; known are ${names.join(', ')}`;
}

function within(field: string, name: string): string {
  const short = name.slice(0, 64);
  return field === '' ? short : `${field}.${short}`;
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}

function problem(field: string, message: string): Problem {
  return { field, message };
}
