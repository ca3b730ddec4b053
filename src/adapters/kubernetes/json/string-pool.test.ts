import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flat, StringPool } from './string-pool.ts';

const map = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { maxKeys: 6, noNullPrototype: true });

describe('StringPool', () => {
  it('gives equal maps as one, and never a wrong one', () => {
    const pool = new StringPool();
    fc.assert(
      fc.property(map, (labels) => {
        const first = pool.map(labels);
        expect(first).toEqual(labels);
        expect(pool.map({ ...labels })).toBe(first);
      }),
      { examples: [[JSON.parse('{"__proto__":"x","a":"1"}')]] },
    );
  });

  it('has one empty map for all', () => {
    const pool = new StringPool();
    expect(pool.map(undefined)).toBe(pool.map({}));
    expect(pool.map({ a: '1' })).not.toBe(pool.map({ a: '2' }));
  });

  it('is not misled by two maps of the same hash', () => {
    const pool = new StringPool();
    const first = pool.map({ app: '1ng2004-326c' });
    expect(pool.map({ app: 'e342sa-32nu' })).toEqual({ app: 'e342sa-32nu' });
    expect(first).toEqual({ app: '1ng2004-326c' });
  });

  it('forgets what nobody asks for, so that names that come and go do not pile up', () => {
    const pool = new StringPool();
    const kept = pool.value('kept', () => ({ n: 0 }));
    for (let i = 0; i < 10_000; i++) pool.value(`passing ${i}`, () => ({ n: i }));
    expect(pool.value('kept', () => ({ n: 1 }))).toBe(kept);
    for (let i = 0; i < 40_000; i++) pool.value(`other ${i}`, () => ({ n: i }));
    expect(pool.value('kept', () => ({ n: 1 }))).toEqual({ n: 1 });
  });

  it('copies a text without changing it, lone surrogates included', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        (text) => flat(text) === text,
      ),
    );
  });
});
