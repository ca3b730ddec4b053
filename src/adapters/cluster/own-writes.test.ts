import { describe, expect, it } from 'vitest';
import { deployment } from '../../../test/support/builders/workloads.ts';
import { OwnWrites } from './own-writes.ts';

const watched = (resourceVersion: string, parts = {}) => deployment({ resourceVersion, replicas: 3, ...parts });
const written = (resourceVersion: string, parts = {}) => deployment({ resourceVersion, replicas: 0, ...parts });

describe('our own writes', () => {
  it('are seen at once, before the watch has delivered them', () => {
    const own = new OwnWrites();
    own.note(written('10'));
    expect(own.newest(watched('9')).replicas).toBe(0);
  });

  it('give way to what the watch delivers later', () => {
    const own = new OwnWrites();
    own.note(written('10'));
    own.caughtUp(watched('11'));
    expect(own.newest(watched('11')).replicas).toBe(3);
  });

  it('are not taken back by an event that is older than they are', () => {
    const own = new OwnWrites();
    own.note(written('10'));
    own.caughtUp(watched('9'));
    expect(own.newest(watched('9')).replicas).toBe(0);
  });

  it('are forgotten with a cluster that was restored from a backup: its versions have not come to them', () => {
    const own = new OwnWrites();
    own.note(written('10'));
    own.forget();
    expect(own.newest(watched('4')).replicas).toBe(3);
  });

  it('compare versions as numbers: 10 is after 9', () => {
    const own = new OwnWrites();
    own.note(written('9'));
    expect(own.newest(watched('10')).replicas).toBe(3);
  });

  it('say nothing about another object of the same name', () => {
    const own = new OwnWrites();
    own.note(written('10'));
    expect(own.newest(watched('9', { uid: 'another' })).replicas).toBe(3);
  });

  it('are forgotten with the object', () => {
    const own = new OwnWrites();
    own.note(written('10'));
    own.gone(written('10'));
    expect(own.newest(watched('9')).replicas).toBe(3);
  });
});
