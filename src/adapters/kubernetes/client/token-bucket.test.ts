import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../embedded-cluster/time/virtual-clock.ts';
import { asUrgentAs } from '../../../ports/urgency.ts';
import { TokenBucket } from './token-bucket.ts';

function grants(bucket: TokenBucket, clock: VirtualClock, count: number): number[] {
  const at: number[] = [];
  for (let i = 0; i < count; i++) void bucket.take().then(() => at.push(clock.monotonic()));
  return at;
}

describe('TokenBucket', () => {
  it('lets the burst through at once and then one for each part of a second', async () => {
    const clock = new VirtualClock(0);
    const at = grants(new TokenBucket(clock, { qps: 10, burst: 3 }), clock, 6);
    await clock.advance(1000);
    expect(at).toEqual([0, 0, 0, 100, 200, 300]);
  });

  it('keeps the rate over a long run where the interval is no whole millisecond', async () => {
    const clock = new VirtualClock(0);
    const at = grants(new TokenBucket(clock, { qps: 150, burst: 1 }), clock, 1000);
    await clock.advance(6_000);
    expect(at.filter((time) => time <= 6_000).length).toBeGreaterThanOrEqual(900);
    expect(at.filter((time) => time <= 6_000).length).toBeLessThanOrEqual(901);
  });

  it('saves up no more than the burst', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { qps: 10, burst: 2 });
    await clock.advance(60_000);
    const at = grants(bucket, clock, 4);
    await clock.advance(1_000);
    expect(at).toEqual([60_000, 60_000, 60_100, 60_200]);
  });

  it('serves in the order of asking and gives the place of one that gave up to the next', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { qps: 1, burst: 1 });
    const order: string[] = [];
    const abort = new AbortController();
    void bucket.take().then(() => order.push('first'));
    const second = bucket.take(abort.signal).catch((error) => order.push(`second: ${error.message}`));
    void bucket.take().then(() => order.push(`third at ${clock.monotonic()}`));
    abort.abort(new Error('no longer needed'));
    await second;
    await clock.advance(5_000);
    expect(order).toEqual(['first', 'second: no longer needed', 'third at 1000']);
  });

  it('lets nobody overtake those who wait, also when a token is there and its timer is late', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { qps: 10, burst: 1 });
    const order: string[] = [];
    const ask = (who: string) => void bucket.take().then(() => order.push(who));
    clock.after(100, () => ask('newcomer'));
    ask('first');
    ask('waiting');
    await clock.advance(1_000);
    expect(order).toEqual(['first', 'waiting', 'newcomer']);
  });

  it('lets who is more urgent go first, and each in the order of asking', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { qps: 10, burst: 1 });
    const order: string[] = [];
    const ask = (who: string) => void bucket.take().then(() => order.push(who));
    ask('whose turn it is');
    for (const who of ['stranger 1', 'stranger 2']) asUrgentAs('stranger', () => ask(who));
    asUrgentAs('person', () => ask('person 1'));
    asUrgentAs('first', () => ask('admin'));
    ask('the service itself');
    asUrgentAs('person', () => ask('person 2'));
    await clock.advance(1_000);
    expect(order).toEqual([
      'whose turn it is',
      'admin',
      'the service itself',
      'person 1',
      'person 2',
      'stranger 1',
      'stranger 2',
    ]);
  });

  it('keeps the place of a stranger who gives up for nobody', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { qps: 1, burst: 1 });
    const abort = new AbortController();
    await bucket.take();
    const gone = asUrgentAs('stranger', () => bucket.take(abort.signal)).catch((error) => error.message);
    abort.abort(new Error('no longer needed'));
    const at = grants(bucket, clock, 1);
    await clock.advance(5_000);
    expect([await gone, at]).toEqual(['no longer needed', [1000]]);
  });

  it('follows a new rate at once, also for those that wait', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { qps: 0.001, burst: 1 });
    const at = grants(bucket, clock, 3);
    await clock.advance(1_000);
    expect(at).toEqual([0]);
    bucket.configure({ qps: Number.POSITIVE_INFINITY, burst: 1 });
    await clock.advance(0);
    expect(at).toEqual([0, 1000, 1000]);
  });

  it.each([
    [{ qps: 0, burst: 1 }, 'qps must be a number above 0, or Infinity for no limit; it was 0.'],
    [{ qps: 1, burst: 0 }, 'burst must be a number of at least 1; it was 0.'],
  ])('refuses %j', (rate, message) => {
    expect(() => new TokenBucket(new VirtualClock(0), rate)).toThrow(message);
  });
});
