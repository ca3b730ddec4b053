import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Input, strayInput, validInput } from '../../test/support/examples/config-examples.ts';
import type { PathSegment } from './config-error.ts';
import { configNode } from './config-node.ts';
import { diffConfig } from './diff-config.ts';
import type { Node } from './formats/value-types.ts';
import { checkConfig, parseConfig } from './parse-config.ts';
import { settingsView } from './settings-view.ts';

function parsed(input: unknown) {
  const result = parseConfig(input);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.config;
}

describe('for any valid configuration', () => {
  it('parsing the result gives the same result', () => {
    fc.assert(
      fc.property(validInput, (input) => {
        const once = parsed(input);
        expect(parsed(once)).toEqual(once);
        expect(diffConfig(once, parsed(structuredClone(once)))).toEqual([]);
      }),
    );
  });

  it('the result is frozen to its leaves and shares nothing with the input', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
    fc.assert(
      fc.property(validInput, (input) => {
        expect(frozen(parsed(input))).toBe(true);
        expect(Object.isFrozen(input)).toBe(false);
      }),
    );
  });

  it('a null says the same as leaving the key out', () => {
    const withoutNulls = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withoutNulls);
      if (typeof value !== 'object' || value === null) return value;
      const kept = Object.entries(value).filter(([, child]) => child !== null);
      return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]));
    };
    fc.assert(
      fc.property(validInput, (input) => {
        expect(parsed(input)).toEqual(parsed(withoutNulls(input)));
      }),
    );
  });

  it('every setting is listed once', () => {
    fc.assert(
      fc.property(validInput, (input) => {
        const paths = settingsView(parsed(input)).map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
      }),
    );
  });
});

describe('for any configuration with something astray', () => {
  it('the reader never throws, and what it accepts it accepts again', () => {
    fc.assert(
      fc.property(strayInput, ({ input }) => {
        const result = parseConfig(input);
        if (result.ok) expect(parsed(result.config)).toEqual(result.config);
        else expect(result.errors.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('every error is at a place that the input has or the schema asks for', () => {
    fc.assert(
      fc.property(strayInput, ({ input }) => {
        const checked = checkConfig(input);
        if ('config' in checked) return;
        for (const { at } of checked.problems) expect(isThere(input, at) || isAskedFor(configNode, at)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('an error lies on the way to the stray value, or is a rule between fields', () => {
    fc.assert(
      fc.property(strayInput, ({ input, at }) => {
        const checked = checkConfig(input);
        if ('config' in checked) return;
        const alongTheWay = (place: readonly PathSegment[]) =>
          place.slice(0, at.length).every((segment, index) => segment === at[index]);
        const between =
          / is not https|already |is required while |cannot specify both|must specify either|selects nothing|is also the name|is the name of the tier|not a key of config/;
        for (const problem of checked.problems) {
          expect(alongTheWay(problem.at) || between.test(problem.message), JSON.stringify(problem)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function isThere(input: Input, at: readonly PathSegment[]): boolean {
  let value: unknown = input;
  for (const segment of at) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return false;
    value = (value as Record<PathSegment, unknown>)[segment];
  }
  return true;
}

function isAskedFor(node: Node, at: readonly PathSegment[]): boolean {
  const [first, ...rest] = at;
  if (first === undefined) return true;
  if (node.kind === 'either') return isAskedFor(node.record, at);
  if (node.kind === 'list' || node.kind === 'map') return isAskedFor(node.item, rest);
  const field = node.kind === 'record' && typeof first === 'string' ? node.fields[first] : undefined;
  return field !== undefined && isAskedFor(field, rest);
}
