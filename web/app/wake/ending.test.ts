import { describe, expect, it } from 'vitest';
import { hibernation, transition } from '../../fixtures/transition.ts';
import type { TransitionFrame } from '../data/transition.ts';
import { cutShort, type Over, overOf, type RunningNow } from './ending.ts';

const { id } = transition().progress;
const ended = { endedAt: 9 } as const;

describe('whether a transition is over', () => {
  const rows: [string, TransitionFrame, RunningNow, Over][] = [
    ['it runs', transition(), { runningId: id, statusAt: 2, frameAt: 1 }, 'no'],
    ['the controller said so', transition(ended), { runningId: id, statusAt: 1, frameAt: 2 }, 'told'],
    ['its first frame is here before the status', transition(), { runningId: null, statusAt: 1, frameAt: 2 }, 'no'],
    ['a newer status knows of none', transition(), { runningId: null, statusAt: 3, frameAt: 2 }, 'untold'],
    ['a newer status knows of another', transition(), { runningId: 'x', statusAt: 3, frameAt: 2 }, 'untold'],
  ];
  it.each(rows)('when %s', (_, frame, at, over) => {
    expect(overOf(frame, at)).toBe(over);
  });
});

describe('why a transition was cut short', () => {
  const rows: [TransitionFrame, Over, string | undefined][] = [
    [transition(), 'no', undefined],
    [transition({ ...ended, endedBy: 'settled' }), 'told', undefined],
    [transition({ ...ended, endedBy: 'fail_open' }), 'told', undefined],
    [transition({ ...ended, endedBy: 'superseded' }), 'told', 'Superseded: a hibernation started during the wake.'],
    [
      transition({ ...ended, endedBy: 'not_observed' }),
      'told',
      'Not observed: the controller restarted, and the cluster no longer headed where the wake was driving it.',
    ],
    [hibernation({ ...ended, endedBy: 'complete' }), 'told', undefined],
    [
      hibernation({ ...ended, endedBy: 'stopped' }),
      'told',
      'Stopped: the cluster was wanted up again before everything slept.',
    ],
    [transition(), 'untold', 'This wake is over. How it ended was not told here; the activity has it.'],
    [hibernation(), 'untold', 'This hibernation is over. How it ended was not told here; the activity has it.'],
  ];
  it.each(rows)('%o, %s', (frame, over, why) => {
    expect(cutShort(frame, over)).toBe(why);
  });
});
