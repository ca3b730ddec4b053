import { describe, expect, it } from 'vitest';
import { asleep, status } from '../../fixtures/status.ts';
import { announcementOf } from './announcement.ts';

describe('an announcement', () => {
  it('says the state in words', () => {
    expect(announcementOf(status({}), 'fresh').text).toBe(
      'demo: Awake. Awake until 20:00 (Europe/Berlin), 142 of 142 up.',
    );
  });

  it('is the same while only counts change', () => {
    const one = announcementOf(status({ state: 'waking', sentence: 'Waking up, 1 of 142 up' }), 'fresh');
    const two = announcementOf(status({ state: 'waking', sentence: 'Waking up, 2 of 142 up' }), 'fresh');
    expect(two.key).toBe(one.key);
  });

  it('is another when the state changes, when answers stop and when nothing is known', () => {
    const keys = [
      announcementOf(status({}), 'fresh'),
      announcementOf(status(asleep), 'fresh'),
      announcementOf(status({}), 'late'),
      announcementOf(undefined, 'lost'),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(4);
  });
});
