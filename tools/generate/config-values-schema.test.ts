import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PathSegment, Problem } from '../../src/config/config-error.ts';
import { configNode } from '../../src/config/config-node.ts';
import type { Node, TextNode } from '../../src/config/formats/value-types.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { readValue } from '../../src/config/read-value.ts';
import {
  type Input,
  smallest,
  strayInput,
  validInput,
  withValue,
} from '../../test/support/examples/config-examples.ts';
import { configValuesSchema } from './config-values-schema.ts';

const schema = configValuesSchema();
const accepts = new Ajv({ allowUnionTypes: true, strict: true }).compile(schema);

describe('the values schema and the start-up validation', () => {
  it('both accept any valid configuration', () => {
    fc.assert(
      fc.property(validInput, (input) => {
        expect(accepts(input), JSON.stringify(accepts.errors)).toBe(true);
        expect(parseConfig(input).ok).toBe(true);
      }),
    );
  });

  it('agree on every single value, but for what a pattern cannot say', () => {
    let refused = 0;
    fc.assert(
      fc.property(strayInput, ({ input }) => {
        const problems: Problem[] = [];
        readValue(configNode, input, [], problems);
        const sayable = problems.filter((problem) => !isBeyondPatterns(input, problem.at));
        if (sayable.length > 0) refused++;
        expect(accepts(input), JSON.stringify({ sayable, schema: accepts.errors })).toBe(sayable.length === 0);
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(300);
  });

  const refusedByBoth: Record<string, [path: string, value: unknown]> = {
    'an hour of one digit': ['workingHours.schedule.monday', '8:00-20:00'],
    'the hour 25': ['workingHours.schedule.monday', '08:00-25:00'],
    'a readiness interval of 61': ['urlReadinessCheck.intervalSeconds', 61],
    'a readiness threshold of 0': ['urlReadinessCheck.consecutiveThreshold', 0],
    'a refresh time that is not HH:MM': ['awsCosts.refreshTimeUTC', '5:50'],
    'a duration without a unit': ['controller.reconcileInterval', '30'],
    'an unknown key': ['operations.dryrun', true],
    'a rule without its namespace': ['resourceRules.neverScale', [{ name: 'a' }]],
    'a log level that does not exist': ['operations.logLevel', 'trace'],
    'more regions than there may be': ['holidays.regions', Array(51).fill('DE')],
    'more tags than there may be': [
      'awsCosts.resourceTags',
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, 'x'])),
    ],
    'an address without a scheme': ['internalUrl', 'svc.internal'],
  };
  it.each(Object.entries(refusedByBoth))('both refuse %s', (_name, [path, value]) => {
    expect([accepts(withValue(path, value)), parseConfig(withValue(path, value)).ok]).toEqual([false, false]);
  });

  const leftToStart: Record<string, [path: string, value: unknown]> = {
    'an exclude entry with both exact and pattern': ['targeting.namespaces.exclude', [{ exact: 'a', pattern: 'b' }]],
    'a timezone that does not exist': ['workingHours.timezone', 'Europe/Nowhere'],
    'a range that ends before it starts': ['workingHours.schedule.monday', '20:00-08:00'],
    'an external address of plain http': ['externalUrl', 'http://svc.example.com'],
    // The templates refuse these two with a sentence of their own.
    'an empty cluster name': ['clusterName', ''],
    'an empty external address': ['externalUrl', ''],
  };
  it.each(Object.entries(leftToStart))('the schema leaves %s to start-up', (_name, [path, value]) => {
    expect([accepts(withValue(path, value)), parseConfig(withValue(path, value)).ok]).toEqual([true, false]);
  });
});

describe('the values schema', () => {
  it('describes and defaults what it can', () => {
    expect(schema).toMatchObject({
      additionalProperties: false,
      properties: {
        operations: {
          additionalProperties: false,
          properties: {
            logLevel: {
              type: ['string', 'null'],
              description: 'The least severe level that is logged.',
              default: 'info',
              enum: ['debug', 'info', 'warn', 'error', null],
            },
          },
        },
      },
    });
    expect(accepts(smallest)).toBe(true);
  });

  it('uses only what RE2 knows: no lookaround, no back-reference, no possessive or atomic group', () => {
    const patterns = [...JSON.stringify(schema).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text!) as string,
    );
    expect(patterns.length).toBeGreaterThan(50);
    expect(patterns.filter((pattern) => /\(\?|\\[1-9k]|[*+?}]\+/.test(pattern.replace(/\[[^\]]*\]/g, '[]')))).toEqual(
      [],
    );
  });
});

/** A text that its pattern lets through and that only the check behind it refuses; or one of the two left to the templates. */
function isBeyondPatterns(input: Input, at: readonly PathSegment[]): boolean {
  const node = textNodeAt(configNode, at);
  const value = at.reduce<unknown>((place, key) => (place as Record<PathSegment, unknown> | undefined)?.[key], input);
  if (at.length === 1 && node?.presence === 'required' && (value === '' || value === undefined || value === null))
    return true;
  if (node?.format === undefined || typeof value !== 'string' || value.length > node.maxLength) return false;
  return value !== '' && new RegExp(node.format.pattern).test(value);
}

function textNodeAt(node: Node, at: readonly PathSegment[]): TextNode | undefined {
  const [first, ...rest] = at;
  if (node.kind === 'either') return at.length === 0 ? node.text : textNodeAt(node.record, at);
  if (first === undefined) return node.kind === 'text' ? node : undefined;
  if (node.kind === 'list' || node.kind === 'map') return textNodeAt(node.item, rest);
  const field = node.kind === 'record' && typeof first === 'string' ? node.fields[first] : undefined;
  return field === undefined ? undefined : textNodeAt(field, rest);
}
