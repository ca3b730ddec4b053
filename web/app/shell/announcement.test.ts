import { describe, expect, it } from 'vitest';
import { asleep, status } from '../../fixtures/status.ts';
import type { Ending } from '../overview/ending.ts';
import { announcementOf } from './announcement.ts';

const well: Ending = { known: 'yes', checked: true };
const failed = (...sentences: string[]): Ending => ({
  known: 'yes',
  checked: true,
  left: {
    entry: { id: 'w', at: '2026-11-03T07:20:00.000Z', kind: 'wake-failed', title: 'Wake Complete', actor: 'schedule' },
    failed: sentences,
    until: 'up',
  },
});

describe('an announcement', () => {
  it('says the state in words', () => {
    expect(announcementOf(status({}), 'fresh', well).text).toBe(
      'demo: Awake. Awake until 20:00 (Europe/Berlin), 142 of 142 up.',
    );
  });

  it('is the same while only counts change', () => {
    const one = announcementOf(status({ state: 'waking', sentence: 'Waking up, 1 of 142 up' }), 'fresh', well);
    const two = announcementOf(status({ state: 'waking', sentence: 'Waking up, 2 of 142 up' }), 'fresh', well);
    expect(two.key).toBe(one.key);
  });

  it('is another when the state changes, when answers stop and when nothing is known', () => {
    const keys = [
      announcementOf(status({}), 'fresh', well),
      announcementOf(status(asleep), 'fresh', well),
      announcementOf(status({}), 'late', well),
      announcementOf(undefined, 'lost', well),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
  });

  it('of a failed wake names who failed, and is another than that of a good one', () => {
    const one = 'Deployment shop/cart was still Unschedulable after 15 minutes';
    const said = announcementOf(status({}), 'fresh', failed(one));
    expect(said.text).toBe(`demo: Awake. Awake until 20:00 (Europe/Berlin), 142 of 142 up. 1 workload failed: ${one}.`);
    const keys = [well, failed(one), failed(one, 'Job shop/index failed'), { known: 'no' } as const].map(
      (ending) => announcementOf(status({}), 'fresh', ending).key,
    );
    expect(new Set(keys).size).toBe(4);
  });

  it('is not made again when the log has been read and all is well', () => {
    expect(announcementOf(status({}), 'fresh', { known: 'reading' })).toEqual(
      announcementOf(status({}), 'fresh', well),
    );
  });
});
