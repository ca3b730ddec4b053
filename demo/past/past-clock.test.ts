import { expect, it } from 'vitest';
import { VirtualClock } from '../../embedded-cluster/time/virtual-clock.ts';
import { PastClock } from './past-clock.ts';

it('goes on as another clock, with what waited and without what was cancelled', async () => {
  const clock = new PastClock(1_000);
  const heard: string[] = [];
  clock.after(50, () => heard.push('in the past'));
  clock.after(150, () => heard.push('across'));
  clock.after(150, () => heard.push('cancelled'))();
  await clock.advance(100);
  expect([clock.now(), clock.monotonic(), heard]).toEqual([1_100, 100, ['in the past']]);

  const live = new VirtualClock(5_000);
  await live.advance(7);
  clock.goOn(live);
  expect([clock.now(), clock.monotonic()]).toEqual([5_007, 100]);
  const cancel = clock.after(60, () => heard.push('too late'));
  await live.advance(49);
  expect(heard).toEqual(['in the past']);
  await live.advance(1);
  expect(heard).toEqual(['in the past', 'across']);
  cancel();
  await live.advance(100);
  expect(heard).toEqual(['in the past', 'across']);
});
