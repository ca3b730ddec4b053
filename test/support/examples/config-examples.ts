// Configurations for tests: a small valid one to change, and arbitrary valid ones made from the schema itself.

import fc from 'fast-check';
import type { PathSegment } from '../../../src/config/config-error.ts';
import { configNode } from '../../../src/config/config-node.ts';
import type { Fields, Node, TextNode } from '../../../src/config/formats/value-types.ts';

export type Input = Record<string, unknown>;

export const smallest: Readonly<Input> = { clusterName: 'dev', externalUrl: 'https://svc.example.com' };

/** The smallest configuration with one value set at a path of keys and indexes. */
export function withValue(path: string, value: unknown): Input {
  const input = structuredClone(smallest) as Input;
  const keys = path.split('.');
  let place: Input = input;
  for (const key of keys.slice(0, -1)) {
    place[key] ??= {};
    place = place[key] as Input;
  }
  place[keys.at(-1)!] = value;
  return input;
}

const examples: Readonly<Record<string, readonly string[]>> = {
  duration: ['1m', '90s', '1h', '2m30s', '0.5h'],
  'working hours': ['on', 'off', '08:00-20:00', '13:00-20:00,08:00-12:00', '20:00-00:00'],
  timezone: ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
  'HH:MM': ['00:00', '05:50', '23:59'],
  url: ['https://a.example.com', 'http://localhost:3000'],
  origin: ['https://dash.example.com', 'http://localhost:5173'],
  string: ['one', 'Müller & Söhne', 'a b c'],
  name: ['a', 'shop', 'shop-2'],
  key: ['hmac', 'tls.key', '_x'],
  pattern: ['*', 'kube-*', 'shop', '*-db-*', 'shop-?'],
  'workload type': ['Deployment', 'statefulsets', 'CronJob'],
  kind: ['Pool', 'Farm'],
  'API group': ['example.com', 'stable.example.com'],
  'API version': ['v1', 'v2beta1'],
  plural: ['pools', 'farms'],
  'JSON pointer': ['/spec/replicas', '/spec/a~1b/size'],
  value: ['true', 'off'],
  annotation: ['example.com/paused'],
  condition: ['Ready', 'example.com/Up'],
  'label key': ['app', 'app.kubernetes.io/name'],
  domain: ['example.com', 'a-b.example.org'],
  email: ['ops@example.com', 'a.b+c@x.example.org'],
  host: ['mail.example.com', 'example.com'],
  'host pattern': ['*.example.com', 'shop.example.com'],
  'region code': ['DE', 'DE-BY', 'US-LA-NO', 'AT-1'],
  region: ['eu-central-1', 'us-gov-west-1'],
  identifier: ['orders', 'Orders-1'],
  'tag key': ['team', 'aws:eks:cluster-name'],
};

function validText(node: TextNode): fc.Arbitrary<unknown> {
  if (node.choices !== undefined) return fc.constantFrom(...node.choices);
  const texts = node.format === undefined ? ['', 'any text'] : examples[node.format.name]!;
  const empty = node.presence === 'defaulted' && node.default === '' ? [''] : [];
  return fc.constantFrom<unknown>(...texts, ...empty, ...(node.onOff ? [true, false] : []));
}

function validValue(node: Node): fc.Arbitrary<unknown> {
  switch (node.kind) {
    case 'text':
      return validText(node);
    case 'flag':
      return fc.boolean();
    case 'number': {
      const { min, max, integer } = node;
      return integer ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true }).map((value) => value + 0);
    }
    case 'scalar':
      return fc.constantFrom<unknown>(true, false, 0, node.max, 'off');
    case 'list':
      return fc.array(validValue(node.item), { maxLength: 3 });
    case 'map':
      return fc.dictionary(fc.constantFrom(...examples[node.key.name]!), validValue(node.item), { maxKeys: 2 });
    case 'record':
      return validRecord(node.fields);
    case 'either':
      return fc.oneof(validValue(node.text), validValue(node.record));
  }
}

function validRecord(fields: Fields): fc.Arbitrary<Input> {
  const requiredKeys = Object.keys(fields).filter((key) => fields[key]!.presence === 'required');
  const values = Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      field.presence === 'required'
        ? validValue(field)
        : fc.oneof({ weight: 8, arbitrary: validValue(field) }, fc.constant(null)),
    ]),
  );
  return fc.record(values, { requiredKeys });
}

/** Arbitrary configurations in which every value is right, and with them the rules between fields. */
export const validInput: fc.Arbitrary<Input> = validRecord(configNode.fields).map(respectFieldRules);

type Entries = readonly Input[];

function respectFieldRules(input: Input): Input {
  const externalWake = { ...(input.externalWake as Input | null), localClusterName: 'this cluster' };
  const named = (key: string) => (entry: Input, index: number) => ({ ...entry, [key]: `entry-${index}` });
  const ordering = (value: unknown) => ({
    tiers: (((value as Input | null)?.tiers ?? []) as Entries).map((tier, index) => ({
      ...tier,
      name: `tier-${index}`,
      databases: [],
      select: [{ namespace: 'shop' }],
    })),
  });
  return {
    ...input,
    allowInsecureExternalUrl: true,
    auth: { ...(input.auth as Input | null), webauthn: null },
    targeting: { namespaces: { exclude: [{ exact: 'svc', pattern: null }, { pattern: 'kube-*' }] } },
    wakeOrdering: ordering(input.wakeOrdering),
    hibernateOrdering: ordering(input.hibernateOrdering),
    externalDependencies: ((input.externalDependencies ?? []) as Entries).map(named('cluster')),
    serviceRedirection: { enabled: true, services: [{ namespace: 'shop', name: 'web' }] },
    externalWake: {
      ...externalWake,
      clusters: (('clusters' in externalWake ? (externalWake.clusters ?? []) : []) as Entries).map(named('name')),
    },
    awsCosts: { ...(input.awsCosts as Input | null), tagValue: 'dev' },
  };
}

/** Values of every sort, most of them wrong wherever they are put. */
const strayValue: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[
    '',
    'x',
    'A B',
    '8:00-20:00',
    '08:00-25:00',
    '20:00-08:00',
    '5:50',
    '7d',
    '30',
    '0s',
    '9999h',
    'on',
    '*',
    'a\nb',
    'x'.repeat(5000),
  ],
  ...[
    'svc.example.com',
    'ftp://x',
    'https://',
    'https://h/p?q',
    'Europe/Nowhere',
    '@example.com',
    'mail:25',
    '__proto__',
    'Deployment',
  ],
  ...[
    0,
    -1,
    1.5,
    61,
    31,
    1e9,
    Number.NaN,
    true,
    false,
    null,
    [],
    [null],
    ['x'],
    [{}],
    {},
    { x: 1 },
    { 'B@d key': 'x' },
  ],
);

export interface StrayInput {
  readonly input: Input;
  readonly at: readonly PathSegment[];
}

/** A valid configuration in which one value, anywhere, was replaced by a stray one or an unknown key was added. */
export const strayInput: fc.Arbitrary<StrayInput> = fc
  .tuple(validInput, fc.nat(), strayValue, fc.boolean())
  .map(([valid, pick, stray, addKey]) => {
    const input = structuredClone(valid);
    const places = [...placesOf(input, [])];
    const at = places[pick % places.length]!;
    const parent = at.slice(0, -1).reduce<unknown>((value, key) => (value as Record<PathSegment, unknown>)[key], input);
    const wanted = addKey && !Array.isArray(parent) ? `${at.at(-1)}X` : at.at(-1)!;
    (parent as Record<PathSegment, unknown>)[wanted] = stray;
    return { input, at: [...at.slice(0, -1), wanted] };
  });

function* placesOf(value: unknown, at: readonly PathSegment[]): Generator<readonly PathSegment[]> {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) yield* placesOf(child, [...at, isList ? Number(key) : key]);
}
