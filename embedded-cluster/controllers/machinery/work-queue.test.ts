import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../time/virtual-clock.ts';
import { DeadlineHeap } from './deadline-heap.ts';
import { WorkQueue } from './work-queue.ts';

function queueOn(clock: VirtualClock, errors: string[] = []) {
  const onError = (error: unknown, controller: string, key: string) => {
    errors.push(`${controller} ${key}: ${String(error)}`);
  };
  return new WorkQueue({ clock, reactionMs: 5, onError });
}

describe('WorkQueue', () => {
  it('runs a key once however often it is asked for, after the reaction time', async () => {
    const clock = new VirtualClock(0);
    const queue = queueOn(clock);
    const ran: string[] = [];
    const work = queue.register('one', (key) => ran.push(`${key}@${clock.now()}`));
    queue.start();
    for (const key of ['a', 'b', 'a']) work.enqueue(key);
    await clock.advance(4);
    expect(ran).toEqual([]);
    await clock.advance(100);
    expect(ran).toEqual(['a@5', 'b@5']);
    expect(await clock.step()).toBe(false);
  });

  it('works off what a run causes in the same turn', async () => {
    const clock = new VirtualClock(0);
    const queue = queueOn(clock);
    const ran: string[] = [];
    const second = queue.register('second', (key) => ran.push(`second ${key}@${clock.now()}`));
    const first = queue.register('first', (key) => second.enqueue(key));
    queue.start();
    first.enqueue('a');
    await clock.advance(5);
    expect(ran).toEqual(['second a@5']);
  });

  it('replaces a deadline, and forgets one that is taken away', async () => {
    const clock = new VirtualClock(0);
    const queue = queueOn(clock);
    const ran: string[] = [];
    const work = queue.register('one', (key) => ran.push(`${key}@${clock.now()}`));
    queue.start();
    work.deadline('a', 1_000);
    work.deadline('b', 500);
    work.deadline('a', 2_000);
    work.deadline('b', undefined);
    await clock.advance(10_000);
    expect(ran).toEqual(['a@2000']);
  });

  it('sets no timer that the machine could not hold, and still meets the deadline', async () => {
    const clock = new VirtualClock(0);
    const delays: number[] = [];
    const after = (ms: number, run: () => void) => {
      delays.push(ms);
      return clock.after(ms, run);
    };
    const limited = { now: () => clock.now(), monotonic: () => clock.monotonic(), after };
    const queue = new WorkQueue({ clock: limited, reactionMs: 5, onError: () => {} });
    const ran: number[] = [];
    const work = queue.register('one', () => ran.push(clock.now()));
    queue.start();
    work.deadline('a', 3_000_000_000);
    await clock.advance(3_000_000_000);
    expect(delays).toEqual([2_147_483_647, 852_516_353]);
    expect(ran).toEqual([3_000_000_000]);
  });

  it('tries again what failed, later each time, and tells of it', async () => {
    const clock = new VirtualClock(0);
    const errors: string[] = [];
    const queue = queueOn(clock, errors);
    const ran: number[] = [];
    const work = queue.register('one', () => {
      ran.push(clock.now());
      if (ran.length < 4) throw new Error('no');
    });
    queue.start();
    work.enqueue('a');
    await clock.advance(60_000);
    expect(ran).toEqual([5, 1_005, 3_005, 7_005]);
    expect(errors).toEqual(['one a: Error: no', 'one a: Error: no', 'one a: Error: no']);
  });

  it('goes on with the next key when an error is thrown out of the timer', async () => {
    const clock = new VirtualClock(0);
    const onError = (error: unknown) => {
      throw error;
    };
    const queue = new WorkQueue({ clock, reactionMs: 5, onError });
    const ran: string[] = [];
    const work = queue.register('one', (key) => {
      ran.push(key);
      if (key === 'b' && ran.length === 2) throw new Error('no');
    });
    queue.start();
    for (const key of ['a', 'b', 'c']) work.enqueue(key);
    await expect(clock.advance(5)).rejects.toThrow('no');
    await clock.advance(5_000);
    expect(ran).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps what is asked for while it is stopped', async () => {
    const clock = new VirtualClock(0);
    const queue = queueOn(clock);
    const ran: number[] = [];
    const work = queue.register('one', () => ran.push(clock.now()));
    work.enqueue('a');
    await clock.advance(1_000);
    expect(ran).toEqual([]);
    queue.start();
    await clock.advance(1_000);
    expect(ran).toEqual([1_005]);
  });
});

describe('DeadlineHeap', () => {
  it('gives keys out in the order of their last deadlines', () => {
    const set = fc.tuple(
      fc.integer({ min: 0, max: 9 }),
      fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    );
    fc.assert(
      fc.property(fc.array(set, { maxLength: 60 }), fc.integer({ min: 0, max: 60 }), (sets, until) => {
        const heap = new DeadlineHeap();
        const model = new Map<string, number>();
        for (const [key, at] of sets) {
          heap.set(String(key), at);
          if (at === undefined) model.delete(String(key));
          else model.set(String(key), at);
        }
        const due = [...model].filter(([, at]) => at <= until).map(([, at]) => at);
        const given = heap.takeUntil(until);
        expect(given.map((key) => model.get(key))).toEqual(due.sort((a, b) => a - b));
        const later = [...model.values()].filter((at) => at > until);
        expect(heap.earliest()).toBe(later.length === 0 ? undefined : Math.min(...later));
      }),
    );
  });
});
