import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionAnnouncement } from '../announcement/external-wake.ts';
import { kindTable } from '../kinds/kind-table.ts';
import { decideEnd, decideWake, type WakeAsk, type WakeDecision } from './decide-wake.ts';
import { expireSessions } from './expire-sessions.ts';
import { type WakePermission, wakeProblem } from './permission.ts';
import { hourMs, type WakeQuotas } from './quotas.ts';
import { isAwake } from './readiness.ts';
import { originsOf, type WakeSession, type WakeTarget } from './session.ts';

const now = Date.UTC(2026, 10, 16, 11);
const quotas: WakeQuotas = { maxConcurrentWakes: 5, maxWakesPerHour: 20, maxWakeDurationMs: 8 * hourMs };
const session = (id: string, more: Partial<WakeSession> = {}): WakeSession => ({
  id,
  cluster: id,
  resources: [],
  startedAt: now - hourMs / 2,
  expiresAt: now + hourMs,
  ...more,
});
const ask = (more: Partial<WakeAsk> = {}): WakeAsk => ({ cluster: 'dev', resources: [], id: 'dev-1', ...more });

const announcedOf = (decision: WakeDecision) =>
  'change' in decision && decision.change !== undefined ? sessionAnnouncement(decision.change) : undefined;

describe('a wake request', () => {
  it('begins a session of the longest duration, told to whoever listens', () => {
    const decision = decideWake(ask(), [], { quotas, startedInHour: [], now });
    expect(decision).toMatchObject({
      outcome: 'started',
      session: { id: 'dev-1', cluster: 'dev', resources: [], startedAt: now, expiresAt: now + 8 * hourMs },
    });
    expect(announcedOf(decision)).toMatchObject({
      audit: { kind: 'external-wake-started', title: 'External Wake Started', actor: 'dev' },
      notice: { key: 'externalWakeStarted', title: 'External Wake Started' },
    });
  });

  it('lasts as long as it asks, and never longer than it may', () => {
    const expiry = (durationMs: number) => {
      const decision = decideWake(ask({ durationMs }), [], { quotas, startedInHour: [], now });
      return decision.outcome === 'refused' ? undefined : decision.session.expiresAt - now;
    };
    expect([expiry(hourMs), expiry(100 * hourMs)]).toEqual([hourMs, 8 * hourMs]);
  });

  it('for the same resources renews: the end moves, and nothing else', () => {
    const held = session('dev', { resources: [{ namespace: 'a' }, { namespace: 'b', name: 'x' }] });
    const resources = [{ namespace: 'b', name: 'x' }, { namespace: 'a' }];
    const decision = decideWake(ask({ resources }), [held], { quotas, startedInHour: [], now });
    expect(decision).toMatchObject({
      outcome: 'renewed',
      session: { ...held, expiresAt: now + 8 * hourMs },
    });
    expect(announcedOf(decision)).toMatchObject({
      notice: { key: 'externalWakeRenewed', title: 'External Wake Renewed' },
    });
  });

  it.each([
    ['later by less than an eighth of the session', 8 * hourMs - 59 * 60_000],
    ['sooner by less than a minute', 8 * hourMs + 59_000],
  ])('that moves the end %s changes and tells nothing', (_, left) => {
    const held = session('dev', { expiresAt: now + left });
    expect(decideWake(ask(), [held], { quotas, startedInHour: [], now })).toEqual({
      outcome: 'renewed',
      session: held,
      sessions: [held],
    });
  });

  it('of a cluster that waits all day is recorded once an hour, and the session never runs low', () => {
    let sessions: readonly WakeSession[] = [session('dev', { expiresAt: now + 8 * hourMs })];
    let told = 0;
    for (let at = now; at < now + 8 * hourMs; at += 60_000) {
      const decision = decideWake(ask(), sessions, { quotas, startedInHour: [], now: at });
      if (decision.outcome === 'refused') throw new Error(decision.message);
      sessions = decision.sessions;
      if (decision.change !== undefined) told++;
      expect(decision.session.expiresAt - at).toBeGreaterThanOrEqual(7 * hourMs);
    }
    expect(told).toBe(7);
  });

  it('that asks for a sooner end by a minute or more is given it', () => {
    const held = session('dev', { expiresAt: now + 8 * hourMs });
    const sooner = decideWake(ask({ durationMs: 8 * hourMs - 60_000 }), [held], { quotas, startedInHour: [], now });
    expect(sooner).toMatchObject({ session: { expiresAt: now + 8 * hourMs - 60_000 } });
  });

  it('on account of others is recorded with them, and a change of them is recorded and not told', () => {
    const decision = decideWake(ask({ origins: ['far', 'dev'] }), [], {
      quotas,
      startedInHour: [],
      now,
      ownName: 'here',
    });
    expect(decision).toMatchObject({ outcome: 'started', session: { origins: ['far', 'dev'] } });
    if (decision.outcome !== 'started') return;
    const changed = decideWake(ask({ origins: ['dev'] }), decision.sessions, {
      quotas,
      startedInHour: [],
      now,
      ownName: 'here',
    });
    expect(changed.outcome).toBe('renewed');
    expect(changed).not.toHaveProperty('change');
    expect(changed).not.toHaveProperty('session.origins');
  });

  it('on nobody’s account but ours begins no session, ends the one there was, and uses up no quota', () => {
    const held = session('dev');
    const other = session('other');
    const full = Array(20).fill(now - 1);
    const decision = decideWake(ask({ origins: ['here'] }), [held, other], {
      quotas,
      startedInHour: full,
      now,
      ownName: 'here',
    });
    expect(decision).toMatchObject({
      outcome: 'needless',
      session: { cluster: 'dev', expiresAt: now + 8 * hourMs },
      sessions: [other],
    });
    expect(announcedOf(decision)).toMatchObject({ audit: { kind: 'external-wake-ended', actor: 'dev' } });
    expect(
      decideWake(ask({ origins: ['here'] }), [other], { quotas, startedInHour: full, now, ownName: 'here' }),
    ).not.toHaveProperty('change');
    expect(
      decideWake(ask({ origins: ['here', 'far'] }), [], { quotas, startedInHour: [], now, ownName: 'here' }).outcome,
    ).toBe('started');
    expect(decideWake(ask({ origins: [] }), [], { quotas, startedInHour: [], now, ownName: 'here' }).outcome).toBe(
      'started',
    );
  });

  it('keeps up the shortest of sessions, renewed at half of the time that is left', () => {
    for (const maxWakeDurationMs of [1_000, 10_000, 59_000, 60_000, 119_000, 120_000, hourMs]) {
      const short = { ...quotas, maxWakeDurationMs };
      let decision = decideWake(ask(), [], { quotas: short, startedInHour: [], now });
      let at = now;
      for (let renewal = 0; renewal < 40; renewal++) {
        if (decision.outcome === 'refused') throw new Error(decision.message);
        at += (decision.session.expiresAt - at) / 2;
        decision = decideWake(ask(), decision.sessions, { quotas: short, startedInHour: [], now: at });
        expect(decision.outcome, `${maxWakeDurationMs} after ${at - now}`).toBe('renewed');
      }
      expect(at - now).toBeGreaterThan(10 * maxWakeDurationMs);
    }
  });

  it('renews though every quota is used up', () => {
    const sessions = ['dev', 'b', 'c', 'd', 'e'].map((id) => session(id));
    expect(decideWake(ask(), sessions, { quotas, startedInHour: Array(20).fill(now - 1), now }).outcome).toBe(
      'renewed',
    );
  });

  it('is refused beyond the sessions at a time, and says when the first of them ends', () => {
    const sessions = ['a', 'b', 'c', 'd', 'e'].map((id, index) =>
      session(id, { expiresAt: now + (index + 1) * 60_000 }),
    );
    expect(decideWake(ask(), sessions, { quotas, startedInHour: [], now })).toEqual({
      outcome: 'refused',
      quota: 'maxConcurrentWakes',
      message: 'config.externalWake.quotas.maxConcurrentWakes is reached.',
      retryAfterMs: 60_000,
    });
  });

  it('does not count sessions that have run out, and leaves them for the controller to report', () => {
    const over = ['a', 'b', 'c', 'd', 'e'].map((id) => session(id, { expiresAt: now }));
    const decision = decideWake(ask(), over, { quotas, startedInHour: [], now });
    expect(decision).toMatchObject({ outcome: 'started' });
    if (decision.outcome === 'started') expect(decision.sessions.slice(0, 5)).toEqual(over);
  });

  it('is refused beyond the sessions an hour, and says when there is room again', () => {
    const starts = Array.from({ length: 20 }, (_, index) => now - hourMs + (index + 1) * 1_000);
    expect(decideWake(ask(), [], { quotas, startedInHour: starts, now })).toMatchObject({
      outcome: 'refused',
      quota: 'maxWakesPerHour',
      retryAfterMs: 1_000,
    });
    expect(decideWake(ask(), [], { quotas, startedInHour: starts, now: now + 1_000 }).outcome).toBe('started');
  });

  it('counts what the state knows after a restart', () => {
    const tight = { ...quotas, maxConcurrentWakes: 100, maxWakesPerHour: 2 };
    const sessions = ['a', 'b'].map((id) => session(id, { startedAt: now - 1_000 }));
    expect(decideWake(ask(), sessions, { quotas: tight, startedInHour: [], now })).toMatchObject({
      quota: 'maxWakesPerHour',
    });
  });

  it('keeps the quotas over any sequence of requests', () => {
    const step = fc.record({
      cluster: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      wait: fc.integer({ min: 0, max: hourMs }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const tight = { maxConcurrentWakes: 3, maxWakesPerHour: 4, maxWakeDurationMs: hourMs / 2 };
        let sessions: readonly WakeSession[] = [];
        const starts: number[] = [];
        let at = now;
        for (const [index, { cluster, wait }] of steps.entries()) {
          at += wait;
          const decision = decideWake({ cluster, resources: [], id: `${index}` }, sessions, {
            quotas: tight,
            startedInHour: starts,
            now: at,
          });
          if (decision.outcome === 'refused') {
            expect(decision.retryAfterMs).toBeGreaterThan(0);
            continue;
          }
          if (decision.outcome === 'started') starts.push(at);
          sessions = decision.sessions;
          expect(sessions.filter(({ expiresAt }) => expiresAt > at).length).toBeLessThanOrEqual(3);
          expect(starts.filter((start) => start > at - hourMs).length).toBeLessThanOrEqual(4);
        }
      }),
    );
  });
});

describe('on whose account a cluster is awake', () => {
  it('is told by the live sessions for the whole of it', () => {
    const sessions = [
      session('b', { origins: ['far', 'b'] }),
      session('a'),
      session('named', { resources: [{ namespace: 'shop' }] }),
      session('over', { expiresAt: now }),
    ];
    expect(originsOf(sessions, now)).toEqual(['a', 'b', 'far']);
    expect(originsOf([], now)).toEqual([]);
  });
});

describe('the end of sessions', () => {
  it('asked for by their cluster leaves those of others', () => {
    const [dev, named, other] = [
      session('dev'),
      session('x', { cluster: 'dev', resources: [{ namespace: 'a' }] }),
      session('other'),
    ];
    const { sessions, ended, changes } = decideEnd('dev', [dev, named, other], now);
    expect([sessions, ended]).toEqual([[other], [dev, named]]);
    expect(changes.map(sessionAnnouncement).map(({ audit, notice }) => [audit?.title, notice])).toEqual([
      ['External Wake Ended', undefined],
      ['External Wake Ended', undefined],
    ]);
  });

  it('by time is reported once each, under the same id however often it is looked at', () => {
    const over = session('dev', { expiresAt: now - 5_000 });
    const look = (at: number) => expireSessions([over, session('other')], at);
    expect(look(now)).toMatchObject({
      live: [session('other')],
      nextExpiry: now + hourMs,
    });
    expect(look(now).changes.map(sessionAnnouncement)).toMatchObject([
      {
        audit: { id: `external-wake-expired-dev-${now - 5_000}`, title: 'External Wake Expired', actor: 'dev' },
        notice: { key: 'externalWakeExpired', title: 'External Wake Expired' },
      },
    ]);
    expect(look(now + 1_000).changes).toEqual(look(now).changes);
  });
});

describe('what a cluster may wake', () => {
  const permission = (resources: WakeTarget[] = []): WakePermission => ({
    kinds: kindTable([]),
    cluster: 'dev',
    resources,
    excludedNamespaces: ['bank', 'secret-*'],
  });
  const rows: Record<string, [rules: WakeTarget[], targets: WakeTarget[], problem: string | undefined]> = {
    'everything, without rules': [[], [], undefined],
    'a namespace, without rules': [[], [{ namespace: 'shop' }], undefined],
    'not an excluded namespace': [[], [{ namespace: 'bank' }], 'Namespace bank is never woken by another cluster.'],
    'not an excluded pattern': [
      [],
      [{ namespace: 'shop' }, { namespace: 'secret-x', name: 'a' }],
      'Namespace secret-x is never woken by another cluster.',
    ],
    'not everything, with rules': [
      [{ namespace: 'shop' }],
      [],
      'must be named: this cluster may not wake the whole cluster',
    ],
    'a workload of a permitted namespace': [[{ namespace: 'shop' }], [{ namespace: 'shop', name: 'cart' }], undefined],
    'a permitted pattern': [
      [{ namespace: 'shop', name: 'cart-*' }],
      [{ namespace: 'shop', name: 'cart-a' }],
      undefined,
    ],
    'not the namespace of a permitted workload': [
      [{ namespace: 'shop', name: 'cart' }],
      [{ namespace: 'shop' }],
      'resources[0] is not among the resources that dev may wake.',
    ],
    'not another type': [
      [{ namespace: 'shop', type: 'Deployment' }],
      [{ namespace: 'shop', type: 'CronJob', name: 'x' }],
      'resources[0] is not among the resources that dev may wake.',
    ],
    'not every type where one is permitted': [
      [{ namespace: 'shop', type: 'Deployment' }],
      [{ namespace: 'shop', name: 'x' }],
      'resources[0] is not among the resources that dev may wake.',
    ],
    'a whole namespace under a pattern for every name': [
      [{ namespace: 'shop', name: '*' }],
      [{ namespace: 'shop' }],
      undefined,
    ],
    'not a pattern that reaches further than the rule': [
      [{ namespace: 'shop-?' }],
      [{ namespace: 'shop-*' }],
      'resources[0] is not among the resources that dev may wake.',
    ],
    'not another namespace': [
      [{ namespace: 'shop' }],
      [{ namespace: 'shop' }, { namespace: 'pay' }],
      'resources[1] is not among the resources that dev may wake.',
    ],
    'not a type that is none': [
      [],
      [{ namespace: 'shop', type: 'Pod' }],
      'must be Deployment, StatefulSet, CronJob, ScaledObject, ScaledJob, Rollout, Cluster, postgresql, Prometheus, KafkaConnect, KafkaBridge, KafkaMirrorMaker2, AutoscalingRunnerSet, DaemonSet, HorizontalPodAutoscaler, Kustomization, HelmRelease or Application',
    ],
    'not an empty name': [[], [{ namespace: 'shop', name: '' }], 'is empty'],
    'not a pattern over excluded names, which stay asleep': [[], [{ namespace: '*' }], undefined],
  };
  it.each(Object.entries(rows))('%s', (_, [rules, targets, problem]) => {
    expect(wakeProblem(permission(rules), targets)?.message).toBe(problem);
  });
});

describe('what was asked for', () => {
  const recorded = [{ kind: 'Deployment', namespace: 'shop', name: 'cart' }] as const;
  it.each([
    ['the whole cluster', [], recorded, false],
    ['the whole cluster, with nothing down', [], [], true],
    ['what is down', [{ namespace: 'shop' }], recorded, false],
    ['something else', [{ namespace: 'pay' }], recorded, true],
  ] as const)('%s is awake: %j', (_, targets, records, expected) => {
    expect(isAwake(targets, records, [])).toBe(expected);
  });
  it('does not wait for namespaces that stay asleep', () => {
    expect(isAwake([], recorded, ['shop'])).toBe(true);
  });
});
