import { describe, expect, it } from 'vitest';
import { hibernation, transition } from '../../fixtures/transition.ts';
import { followed, readTransition } from './transition.ts';

describe('a frame of the stream', () => {
  it.each([transition(), hibernation()])('is taken as it is: a $kind', (frame) => {
    expect(readTransition(JSON.parse(JSON.stringify(frame)))).toEqual(frame);
  });

  const { progress } = transition();
  const broken: [string, unknown][] = [
    ['nothing', null],
    ['a text', 'wake'],
    ['another kind', { ...transition(), kind: 'nap' }],
    ['no progress', { kind: 'wake', trigger: { actor: 'a', cause: 'b' } }],
    ['without an id', { ...transition(), progress: { ...progress, id: undefined } }],
    ['tiers that are none', { ...transition(), progress: { ...progress, tiers: [{ name: 1 }] } }],
    [
      'a hibernation with the tiers of a wake',
      { ...hibernation(), progress: { ...hibernation().progress, tiers: progress.tiers } },
    ],
    ['a wake with the progress of a hibernation', { ...transition(), progress: hibernation().progress }],
    [
      'a hibernation of an older controller',
      { kind: 'hibernation', progress: { id: 'h', startedAt: 1, tiers: [], toLower: 1 } },
    ],
  ];
  it.each(broken)('is left out when it is %s', (_, payload) => {
    expect(readTransition(payload)).toBeUndefined();
  });
});

describe('what is on screen', () => {
  it('follows one transition, and remembers the one that another took over from', () => {
    const first = followed(undefined, transition({ up: 1 }));
    const second = followed(first, transition({ up: 2 }));
    expect(second).toEqual({ frame: transition({ up: 2 }) });
    const third = followed(second, hibernation());
    expect(third).toEqual({ frame: hibernation(), before: transition({ up: 2 }) });
    expect(followed(third, hibernation({ down: 3 }))).toEqual({
      frame: hibernation({ down: 3 }),
      before: transition({ up: 2 }),
    });
  });

  it('keeps the tiers of a hibernation that was stopped, of which the last frame has none', () => {
    const last = hibernation({ tiers: [], down: 0, total: 0, endedAt: 5, endedBy: 'stopped' });
    expect(followed({ frame: hibernation() }, last)).toEqual({
      frame: hibernation({ endedAt: 5, endedBy: 'stopped' }),
    });
  });
});
