import { describe, expect, it } from 'vitest';
import { detailName, detailText, triggerText } from './words.ts';

describe('an entry of the log', () => {
  it('says its trigger in words', () => {
    expect(triggerText('wake_override')).toBe('Somebody asked to wake it');
    expect(triggerText('outside_working_hours')).toBe('The schedule: outside working hours');
    expect(triggerText('something_new')).toBe('Something new');
  });

  it('says why a workload was still starting in words', () => {
    expect(detailText(['Deployment shop/archive: walked_past', 'Deployment shop/b: fail_open'])).toBe(
      'Deployment shop/archive: its tier was released without waiting for it, Deployment shop/b: the wake stopped waiting for it',
    );
    expect(detailText([])).toBe('None');
    expect(detailText(41)).toBe('41');
    expect(detailText('Deployment shop/cart')).toBe('Deployment shop/cart');
  });

  it('names what it counts', () => {
    expect([detailName('up'), detailName('critical_tier'), detailName('a_thing')]).toEqual([
      'Up, the recovered among them',
      'Longest tier',
      'A thing',
    ]);
  });

  it('sets apart what holds commas itself', () => {
    expect(detailText(['data: 2m, held longest by x for 1m', 'app: 1m'])).toBe(
      'data: 2m, held longest by x for 1m; app: 1m',
    );
  });
});
