import { describe, expect, it } from 'vitest';
import { UsesBeingStored } from './uses-being-stored.ts';

/** Uses that are stored when the test says so. */
function rig() {
  const uses = new UsesBeingStored();
  const release: (() => void)[] = [];
  const use = (person: string, isMember = false) => {
    let state = 'waits';
    const stored = new Promise<void>((resolve) => void release.push(resolve));
    const end = uses
      .during(person, isMember, () => stored)
      .then(
        () => {
          state = 'stored';
        },
        (error) => {
          state = `${error.status} after ${error.retryAfterSeconds}`;
        },
      );
    return { state: () => state, end };
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { use, release, settle };
}

describe('uses of passkeys that are being stored', () => {
  it('are two of one person at a time, and others again when one is done', async () => {
    const { use, release, settle } = rig();
    const three = [use('ada', true), use('ada', true), use('ada', true)];
    await settle();
    expect(three.map(({ state }) => state())).toEqual(['waits', 'waits', '429 after 5']);
    expect(use('bob', true).state()).toBe('waits');
    release[0]!();
    await three[0]!.end;
    expect(use('ada', true).state()).toBe('waits');
    const more = use('ada', true);
    await settle();
    expect(more.state()).toBe('429 after 5');
  });

  it('are forty-eight of all strangers together, who keep nobody of the company waiting', async () => {
    const { use, release, settle } = rig();
    const strangers = Array.from({ length: 49 }, (_, index) => use(`stranger ${index}`));
    const member = use('ada', true);
    await settle();
    expect(strangers.filter(({ state }) => state() === 'waits')).toHaveLength(48);
    expect([strangers[48]!.state(), member.state()]).toEqual(['429 after 5', 'waits']);
    release[0]!();
    await strangers[0]!.end;
    const next = use('stranger 49');
    await settle();
    expect(next.state()).toBe('waits');
  });

  it('give their place back when they fail', async () => {
    const uses = new UsesBeingStored();
    for (let turn = 0; turn < 20; turn++) {
      await expect(uses.during('eve', false, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    }
  });
});
