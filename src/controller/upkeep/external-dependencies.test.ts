import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { type Config, parseConfig } from '../../config/config.ts';
import type { Notice } from '../../domain/notification/notice.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import type { HostAnswer, HostingClusters } from '../../ports/hosting-clusters.ts';
import { ExternalDependencies } from './external-dependencies.ts';

const second = 1_000;
const hour = 3_600_000;
const startAt = Date.UTC(2026, 10, 16, 6);
const unreachable: HostAnswer = { outcome: 'unreachable', message: 'no answer came (ECONNREFUSED)' };

/** Hosts that remember when they were asked, and answer as they are told. */
class Rig implements HostingClusters {
  readonly clock = new VirtualClock(startAt);
  readonly asked: [seconds: number, host: string][] = [];
  readonly ended: [seconds: number, host: string][] = [];
  readonly held: Notice[] = [];
  answers: Record<string, () => HostAnswer | Promise<HostAnswer>> = {};
  endWorks = true;
  config: Config = configOf(['a']);
  woken = 0;
  readonly dependencies = new ExternalDependencies({
    clock: this.clock,
    logger: silentLogger,
    hosts: this,
    notifier: {
      notify: async () => {},
      condition: (notice, holds) => holds && this.held.push(notice),
    },
    config: () => this.config,
  });

  constructor() {
    this.dependencies.onAnswer(() => this.woken++);
  }

  readonly origins: string[] = [];
  readonly order: string[] = [];

  async wake({ cluster }: { readonly cluster: string }, origins: readonly string[] = []): Promise<HostAnswer> {
    this.asked.push([this.clock.monotonic() / second, cluster]);
    this.origins.push(origins.join(' '));
    this.order.push('wake');
    return this.answers[cluster]?.() ?? this.awake();
  }

  async end({ cluster }: { readonly cluster: string }, _signal?: AbortSignal, session?: string): Promise<boolean> {
    this.ended.push([this.clock.monotonic() / second, cluster]);
    this.order.push(`end ${session ?? 'all'}`);
    return this.endWorks;
  }

  awake(lastsMs = hour, ready = true): HostAnswer {
    return { outcome: 'awake', expiresAt: this.clock.now() + lastsMs, ready };
  }

  times(): readonly number[] {
    return this.asked.map(([at]) => at);
  }
}

function configOf(clusters: readonly string[], domain = 'example.com'): Config {
  const secretRef = { name: 'shared', key: 'hmac' };
  const parsed = parseConfig({
    clusterName: 'dev',
    externalUrl: 'https://svc.example.com',
    externalDependencies: clusters.map((cluster) => ({ cluster, url: `https://${cluster}.${domain}`, secretRef })),
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

let rig: Rig;
afterEach(() => rig.dependencies.stop());

describe('a host', () => {
  it('is asked when we wake, renewed at half of the time left, and told when we sleep', async () => {
    rig = new Rig();
    rig.dependencies.follow('awake');
    await rig.clock.advance(2 * hour - 1);
    rig.dependencies.follow('awake');
    rig.dependencies.follow('asleep');
    rig.dependencies.follow('asleep');
    await rig.clock.advance(24 * hour);
    expect([rig.times(), rig.ended.length]).toEqual([[0, 1_800, 3_600, 5_400], 1]);
  });

  it.each(['awake', 'asleep'] as const)(
    'is not asked any more by a pass that ends %s after the stop',
    async (demand) => {
      rig = new Rig();
      rig.dependencies.stop();
      rig.dependencies.follow(demand);
      await rig.clock.advance(2 * hour);
      expect([rig.asked, rig.ended]).toEqual([[], []]);
    },
  );

  it('whose clock is behind ours, or whose sessions are short, is not asked in a tight loop', async () => {
    rig = new Rig();
    rig.answers['a'] = () => rig.awake(-hour);
    rig.dependencies.follow('awake');
    await rig.clock.advance(20 * second);
    expect(rig.times()).toEqual([0, 5, 10, 15, 20]);
  });

  it('that does not answer is asked again, less and less often, and reported as long as it lasts', async () => {
    rig = new Rig();
    rig.answers['a'] = () => unreachable;
    rig.dependencies.follow('awake');
    await rig.clock.advance(1_000 * second);
    expect(rig.times()).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915]);
    expect(rig.held[0]).toMatchObject({ key: 'externalDependencyUnreachable', text: unreachable.message });
    rig.answers = {};
    const reported = rig.held.length;
    await rig.clock.advance(300 * second);
    expect(rig.held).toHaveLength(reported);
  });

  it('that hangs is given up after ten seconds', async () => {
    rig = new Rig();
    const signals: AbortSignal[] = [];
    rig.wake = async (host, _origins?: readonly string[], signal?: AbortSignal) => {
      rig.asked.push([rig.clock.monotonic() / second, host.cluster]);
      signals.push(signal!);
      return new Promise((resolve) => signal!.addEventListener('abort', () => resolve(unreachable)));
    };
    rig.dependencies.follow('awake');
    await rig.clock.advance(16 * second);
    expect([rig.times(), signals[0]!.reason.message]).toEqual([[0, 15], 'no answer within 10s']);
  });

  it('that refuses for a while is asked when that is over', async () => {
    rig = new Rig();
    rig.answers['a'] = () => ({ outcome: 'refused', message: 'it answered 429', retryAfterMs: 60 * second });
    rig.dependencies.follow('awake');
    await rig.clock.advance(70 * second);
    expect(rig.times()).toEqual([0, 60]);
  });

  it('hears nothing from us while we are stood down, not even the end', async () => {
    rig = new Rig();
    rig.dependencies.follow('awake');
    await rig.clock.advance(second);
    rig.dependencies.follow('silent');
    await rig.clock.advance(24 * hour);
    expect([rig.times(), rig.ended]).toEqual([[0], []]);
  });

  it('is told that it may sleep by a process that does not know what the one before it began', async () => {
    rig = new Rig();
    rig.endWorks = false;
    rig.dependencies.follow('asleep');
    rig.dependencies.follow('asleep');
    await rig.clock.advance(hour);
    expect(rig.ended.map(([at]) => at)).toEqual([0, 5, 10]);
  });

  it('whose entry is edited hears of the new one first, and of the end of the old session alone when that holds', async () => {
    rig = new Rig();
    rig.answers['a'] = () => ({ ...rig.awake(), session: 's1' }) as HostAnswer;
    rig.dependencies.follow('awake');
    await rig.clock.advance(second);
    const { promise, resolve } = Promise.withResolvers<HostAnswer>();
    rig.answers['a'] = () => promise;
    rig.config = configOf(['a'], 'moved.example.com');
    rig.dependencies.follow('awake');
    await rig.clock.advance(second);
    expect(rig.order).toEqual(['wake', 'wake']);
    rig.answers['a'] = () => ({ ...rig.awake(), session: 's2' }) as HostAnswer;
    resolve({ ...rig.awake(), session: 's2' } as HostAnswer);
    await rig.clock.advance(second);
    expect(rig.order).toEqual(['wake', 'wake', 'end s1', 'wake']);
  });

  it('that leaves the configuration is told so, and a new one is asked', async () => {
    rig = new Rig();
    rig.dependencies.follow('awake');
    rig.config = configOf(['b']);
    rig.dependencies.follow('awake');
    await rig.clock.advance(second);
    expect([rig.asked, rig.ended]).toEqual([
      [
        [0, 'a'],
        [0, 'b'],
      ],
      [[0, 'a']],
    ]);
  });
});

describe('on whose account', () => {
  it('a host hears at once, in the renewals after it, and with no answer to an earlier question taken for the last', async () => {
    rig = new Rig();
    let answerFirst: (answer: HostAnswer) => void = () => {};
    rig.answers['a'] = () => new Promise((resolve) => (answerFirst = resolve));
    rig.dependencies.follow('awake');
    await rig.clock.advance(second);
    rig.answers['a'] = () => rig.awake();
    rig.dependencies.follow('awake', ['far']);
    await rig.clock.advance(second);
    answerFirst(unreachable);
    rig.dependencies.follow('awake', ['far']);
    await rig.clock.advance(hour / 2);
    expect([rig.times(), rig.origins, rig.held]).toEqual([[0, 1, 1801], ['dev', 'far', 'far'], []]);
  });
});

describe('a wake', () => {
  const barrier = 300 * second;

  it('waits until what was asked for is up, and is told at once', async () => {
    rig = new Rig();
    rig.answers['a'] = () => rig.awake(hour, rig.asked.length >= 3);
    rig.dependencies.follow('awake');
    await rig.clock.advance(9 * second);
    const waited = rig.dependencies.waitedHosts(barrier);
    expect(waited).toEqual([{ cluster: 'a', until: startAt + barrier }]);
    expect([rig.dependencies.recheckAt(waited), rig.woken]).toEqual([rig.clock.now() + 5 * second, 0]);
    await rig.clock.advance(second);
    expect([rig.dependencies.waitedHosts(barrier), rig.woken, rig.dependencies.timedOut(barrier)]).toEqual([
      [],
      1,
      undefined,
    ]);
  });

  it('waits for the barrier time-out and no longer, and says so once', async () => {
    rig = new Rig();
    rig.config = configOf(['a', 'b']);
    rig.answers['a'] = () => unreachable;
    rig.dependencies.follow('awake');
    await rig.clock.advance(barrier - 1);
    const waited = [{ cluster: 'a', until: startAt + barrier, why: unreachable.message }];
    expect(rig.dependencies.waitedHosts(barrier)).toEqual(waited);
    expect(rig.dependencies.recheckAt(rig.dependencies.waitedHosts(barrier))).toBe(startAt + barrier);
    // It began to wait under a process before this one.
    expect(rig.dependencies.waitedHosts(barrier, startAt - 1)).toEqual([]);
    await rig.clock.advance(1);
    expect(rig.dependencies.waitedHosts(barrier)).toEqual([]);
    // Told anew, under the same id, until it has been written down.
    const told = rig.dependencies.timedOut(barrier);
    expect(rig.dependencies.timedOut(barrier)).toEqual(told);
    expect(told).toMatchObject({
      notice: {
        key: 'wakeBarrierTimeout',
        title: 'Wake Barrier Timeout',
        text: 'The wake begins after 5m without waiting for hosting cluster a',
      },
      event: { reason: 'WakeBarrierTimeout' },
    });
    rig.dependencies.giveUp();
    expect([rig.dependencies.waitedHosts(barrier), rig.dependencies.timedOut(barrier)]).toEqual([[], undefined]);
  });

  it('does not wait for a host that has refused, nor without hosts', async () => {
    rig = new Rig();
    rig.answers['a'] = () => ({ outcome: 'refused', message: 'it answered 403' });
    expect(rig.dependencies.waitedHosts(barrier)).toEqual([]);
    rig.dependencies.follow('awake');
    await rig.clock.advance(second);
    expect(rig.dependencies.waitedHosts(barrier)).toEqual([]);
  });
});
