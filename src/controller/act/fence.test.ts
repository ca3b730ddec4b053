import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { phase } from '../../state/phase.ts';
import { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import type { VersionedStore } from '../../state/state-store.ts';
import { Fence } from './fence.ts';

const version = '7';

/** A fence whose every question is answered after so long, with what the state was when it was asked. */
function fenced(answerMs: number, until?: number) {
  const clock = new VirtualClock(0);
  let current = version;
  let asked = 0;
  const answers = { ms: answerMs, fail: false };
  const store: VersionedStore = {
    version: () => {
      asked++;
      const was = current;
      return new Promise((resolve, reject) => {
        clock.after(answers.ms, () => (answers.fail ? reject(new Error('no answer')) : resolve(was)));
      });
    },
    read: async () => ({ data: {}, resourceVersion: current }),
    write: async () => {
      current = '9';
      return { outcome: 'done', state: { data: { note: 'ours' }, resourceVersion: current } };
    },
    onChange: () => () => {},
  };
  const session = new StateSession(store, { data: {}, resourceVersion: version });
  const pass = new AbortController();
  const fence = new Fence({ state: store, session, clock, signal: pass.signal, until });
  fence.begin();
  /** What `holds` says, and after how long. */
  const holds = async () => {
    const at = clock.monotonic();
    let answer: { readonly holds: boolean; readonly ms: number } | undefined;
    void fence.holds().then((said) => {
      answer = { holds: said, ms: clock.monotonic() - at };
    });
    await clock.advance(0);
    while (answer === undefined) await clock.advance(1);
    return answer;
  };
  return {
    clock,
    holds,
    answers,
    asked: () => asked,
    change: () => {
      current = '8';
    },
    abort: () => pass.abort(),
    begin: () => fence.begin(),
    write: () => session.write(set(phase, { phase: 'awake', since: 0 })),
  };
}

describe('the fence', () => {
  it('has the first act of a batch wait for an answer, and asks once for all', async () => {
    const { holds, asked } = fenced(30);
    expect(await Promise.all([holds(), holds()])).toEqual([
      { holds: true, ms: 30 },
      { holds: true, ms: 30 },
    ]);
    expect(asked()).toBe(1);
  });

  it('asks again while acts go on, so that none of them waits', async () => {
    const { clock, holds, asked } = fenced(30);
    await holds();
    for (let act = 0; act < 50; act++) {
      await clock.advance(100);
      expect(await holds()).toEqual({ holds: true, ms: 0 });
    }
    expect(asked()).toBe(6);
  });

  it('lets no act through after two seconds without an answer', async () => {
    const { clock, holds, answers } = fenced(30);
    await holds();
    answers.ms = 4_000;
    await clock.advance(1_500);
    expect(await holds()).toEqual({ holds: true, ms: 0 });
    await clock.advance(500);
    expect(await holds()).toEqual({ holds: true, ms: 3_500 });
  });

  it('trusts an answer from when it was asked for', async () => {
    const { clock, holds, change, answers } = fenced(30);
    await holds();
    answers.ms = 900;
    await clock.advance(1_000);
    expect(await holds()).toEqual({ holds: true, ms: 0 });
    change();
    await clock.advance(1_900);
    expect(await holds()).toEqual({ holds: true, ms: 0 });
    await clock.advance(200);
    expect(await holds()).toEqual({ holds: false, ms: 700 });
  });

  it('asks again where an answer has taken long: a process that was paused hears of the state as it was before', async () => {
    const { clock, holds, change, answers } = fenced(30);
    await holds();
    await clock.advance(1_000);
    answers.ms = 8_000;
    expect(await holds()).toEqual({ holds: true, ms: 0 });
    change();
    answers.ms = 30;
    await clock.advance(7_999);
    expect(await holds()).toEqual({ holds: false, ms: 31 });
  });

  it('waits for each answer of an apiserver that is slow, and does not wait for ever', async () => {
    const { clock, holds } = fenced(8_000);
    expect(await holds()).toEqual({ holds: true, ms: 16_000 });
    await clock.advance(100);
    expect(await holds()).toEqual({ holds: true, ms: 8_000 });
  });

  it('takes no answer of a process that was paused, however slow the ones before it were', async () => {
    const { clock, holds, change, answers } = fenced(8_000);
    expect(await holds()).toEqual({ holds: true, ms: 16_000 });
    answers.ms = 40_000;
    await clock.advance(100);
    const late = holds();
    change();
    answers.ms = 8_000;
    expect(await late).toEqual({ holds: false, ms: 40_000 + 8_000 });
  });

  it('closes where the state cannot be read', async () => {
    const { clock, holds, answers, asked } = fenced(30);
    await holds();
    answers.fail = true;
    await clock.advance(2_000);
    expect(await holds()).toEqual({ holds: false, ms: 90 });
    expect(asked()).toBe(4);
  });

  it('closes for good once somebody else has written the state', async () => {
    const { clock, holds, change, asked } = fenced(30);
    await holds();
    change();
    await clock.advance(1_000);
    expect(await holds()).toEqual({ holds: true, ms: 0 });
    await clock.advance(30);
    expect(await holds()).toEqual({ holds: false, ms: 0 });
    expect(asked()).toBe(2);
  });

  it.each([
    ['in a batch of its own', true],
    ['in the same batch', false],
  ])('takes no answer from before a write of ours for what holds after it, %s', async (_, anew) => {
    const { clock, holds, begin, write } = fenced(30);
    await holds();
    await clock.advance(1_000);
    expect(await holds()).toEqual({ holds: true, ms: 0 });
    await clock.advance(10);
    await write();
    await clock.advance(5);
    if (anew) begin();
    else await clock.advance(1_000);
    expect(await holds()).toEqual({ holds: true, ms: 30 });
  });

  it('asks after a gap in the clock, and waits for that', async () => {
    const { clock, holds, change } = fenced(30);
    await holds();
    change();
    await clock.advance(50_000);
    expect(await holds()).toEqual({ holds: false, ms: 30 });
  });

  it('closes after a gap in which no act can have been under way, whatever the state says: the process stood still', async () => {
    const { clock, holds, asked } = fenced(30);
    await holds();
    await clock.advance(61_000);
    expect(await holds()).toEqual({ holds: false, ms: 0 });
    expect(asked()).toBe(1);
  });

  it('closes when the time comes at which something else is wanted, though nobody writes that anywhere', async () => {
    const { clock, holds } = fenced(30, 20_000);
    expect(await holds()).toEqual({ holds: true, ms: 30 });
    await clock.advance(19_000);
    expect(await holds()).toEqual({ holds: true, ms: 30 });
    await clock.advance(950);
    expect(await holds()).toEqual({ holds: false, ms: 0 });
  });

  it('closes once something asks for another pass, also for who waits for an answer', async () => {
    const { clock, holds, abort } = fenced(30);
    clock.after(10, abort);
    expect(await holds()).toEqual({ holds: false, ms: 30 });
  });

  it('does not ask for ever where each answer is too old to count', async () => {
    const { holds, asked } = fenced(35_000);
    expect(await holds()).toEqual({ holds: false, ms: 105_000 });
    expect(asked()).toBe(3);
  });
});
