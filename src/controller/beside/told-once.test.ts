import { describe, expect, it } from 'vitest';
import { ToldOnce } from './told-once.ts';

describe('what is told once', () => {
  it('is new the first time, and again after something else was the matter', () => {
    const told = new ToldOnce();
    const reasons = ['no ports', 'no ports', 'cannot be read', 'cannot be read', 'no ports'];
    expect(reasons.map((reason) => told.isNew('shop/web', reason))).toEqual([true, false, true, false, true]);
  });

  it('is told of each subject by itself', () => {
    const told = new ToldOnce();
    const subjects = ['shop/web', 'shop/cart', 'shop/web'];
    expect(subjects.map((subject) => told.isNew(subject, 'no ports'))).toEqual([true, true, false]);
  });

  it('is new again when it was forgotten', () => {
    const told = new ToldOnce();
    told.isNew('shop/web', 'no ports');
    told.forget();
    expect(told.isNew('shop/web', 'no ports')).toBe(true);
  });
});
