import { describe, expect, it } from 'vitest';
import { condition, NotifierWorld, report } from '../../../test/support/notifier-world.ts';
import { DeliveryFailure } from '../../ports/delivery.ts';

const minutes = (count: number) => count * 60_000;

describe('reports', () => {
  it('go to every destination that takes them', async () => {
    const world = new NotifierWorld();
    world.notify(report('a'));
    await world.settle();
    expect([world.email.taken, world.teams.taken]).toEqual([['ops@example.org: Report a'], ['team: Report a']]);
  });

  it('go nowhere while notifications are off', async () => {
    const world = new NotifierWorld({ enabled: false });
    world.notify(report('a'));
    await world.settle();
    expect([world.email.taken, world.teams.taken, world.deliveries.entries()]).toEqual([[], [], []]);
  });

  it('are left out where the map of the destination says so', async () => {
    const world = new NotifierWorld({
      channels: {
        email: { enabled: true, recipients: [{ address: 'ops@example.org', events: { low: false } }] },
        teams: { enabled: true, webhooks: [{ name: 'team', url: 'https://hooks.example.net/x' }] },
      },
      events: { standDown: false },
    });
    world.notify(report('low'));
    world.notify(report('stand-down', { key: 'standDown' }));
    world.notify(report('degraded', { alsoHigh: true }));
    await world.settle();
    expect(world.email.taken).toEqual(['ops@example.org: Report degraded']);
    expect(world.teams.taken).toEqual(['team: Report low', 'team: Report degraded']);
  });

  it('of different events are never suppressed, however alike and however close', async () => {
    const world = new NotifierWorld();
    for (let index = 0; index < 10; index++) {
      world.notify(report(`wake-${index}`, { title: 'Wake Complete' }));
      await world.settle();
    }
    expect(world.email.taken).toHaveLength(10);
  });

  it('that are told again under the same id are suppressed within the window, and sent after it', async () => {
    const world = new NotifierWorld();
    world.notify(report('a'));
    await world.clock.advance(299_000);
    world.notify(report('a'));
    await world.settle();
    expect(world.email.taken).toHaveLength(1);
    expect(world.deliveries.entries()[0]).toMatchObject({
      outcome: 'suppressed',
      error: 'the same event was sent before',
    });
    await world.clock.advance(1_000);
    world.notify(report('a'));
    await world.settle();
    expect(world.email.taken).toHaveLength(2);
  });
});

describe('a destination whose settings change', () => {
  const hook = (name: string) => ({
    channels: { teams: { enabled: true, webhooks: [{ name, url: 'https://hooks.example.net/x' }] } },
  });

  it('is written to by its new settings, though its address is the same', async () => {
    const world = new NotifierWorld(hook('before'));
    world.notify(report('a'));
    await world.settle();
    world.reconfigure(hook('after'));
    world.notify(report('b'));
    await world.settle();
    expect(world.teams.taken).toEqual(['before: Report a', 'after: Report b']);
  });

  it('gets what waits for it by them as well', async () => {
    const world = new NotifierWorld(hook('before'));
    const free = Promise.withResolvers<void>();
    world.teams.answer = () => free.promise;
    for (const id of ['a', 'b']) world.notify(report(id));
    await world.settle();
    world.reconfigure(hook('after'));
    world.notify(report('c'));
    free.resolve();
    await world.settle();
    expect(world.teams.taken).toEqual(['before: Report a', 'after: Report b', 'after: Report c']);
  });
});

describe('what is deduplicated', () => {
  const renewed = (session: string, at: number) =>
    report(`external-wake-renewed-${session}-${at}`, {
      key: 'externalWakeRenewed',
      at,
      title: 'External Wake Renewed',
    });

  it('External Wake Renewed: once a session within the window', async () => {
    const world = new NotifierWorld();
    for (const seconds of [0, 60, 299, 300, 301]) {
      const elapsed = world.clock.monotonic();
      await world.clock.advance(seconds * 1000 - elapsed);
      world.notify(renewed('one', world.clock.now()));
      if (seconds === 0) world.notify(renewed('two', world.clock.now()));
    }
    await world.settle();
    expect(world.email.at).toEqual([0, 0, 300_000]);
  });

  it('External Wake Started is a report: two within a second are two', async () => {
    const world = new NotifierWorld();
    for (const at of [1, 2]) {
      world.notify(report(`external-wake-started-one-${at}`, { key: 'externalWakeStarted', at }));
    }
    await world.settle();
    expect(world.email.taken).toHaveLength(2);
  });

  it('an alert that is reported rather than said to hold: once within the window, by what it is about', async () => {
    const world = new NotifierWorld();
    const change = (workload: string, at: number) =>
      report(`replicas-changed-${workload}-${at}`, { key: 'unexpectedReplicaChange', at });
    for (const [workload, at] of [
      ['cart', 1],
      ['cart', 2],
      ['shop', 3],
    ] as const)
      world.notify(change(workload, at));
    await world.settle();
    expect(world.email.taken).toHaveLength(2);
  });
});

describe('a condition', () => {
  it('is told once it has held for the confirmation window, and once only', async () => {
    const world = new NotifierWorld();
    for (let minute = 0; minute < 60; minute++) {
      world.notifier.condition(condition('full'), true);
      await world.clock.advance(minutes(1));
    }
    expect(world.email.at).toEqual([minutes(5)]);
  });

  it('among more than are kept is told like any: too many do not starve each other', async () => {
    const world = new NotifierWorld();
    for (let minute = 0; minute < 12; minute++) {
      for (let index = 0; index <= 1_000; index++) world.notifier.condition(condition(`full-${index}`), true);
      await world.clock.advance(minutes(1));
    }
    expect(world.email.taken.length).toBeGreaterThan(10);
  });

  it('that ends before is never told', async () => {
    const world = new NotifierWorld();
    world.notifier.condition(condition('full'), true);
    await world.clock.advance(299_999);
    world.notifier.condition(condition('full'), false);
    await world.clock.advance(minutes(60));
    expect(world.email.taken).toEqual([]);
  });

  it('is told in its newest words', async () => {
    const world = new NotifierWorld();
    world.notifier.condition(condition('full', { title: 'Almost full' }), true);
    await world.clock.advance(minutes(4));
    world.notifier.condition(condition('full', { title: 'Full' }), true);
    await world.clock.advance(minutes(1));
    expect(world.email.taken).toEqual(['ops@example.org: Full']);
  });

  it('that comes back is told again, and not twice within the deduplication window', async () => {
    const world = new NotifierWorld({ events: { confirmationWindowSeconds: 0 } });
    world.notifier.condition(condition('full'), true);
    await world.clock.advance(1_000);
    world.notifier.condition(condition('full'), false);
    world.notifier.condition(condition('full'), true);
    await world.clock.advance(minutes(60));
    expect(world.email.at).toEqual([0, 300_000]);
  });

  it('that comes back and goes again within the window is not told a second time', async () => {
    const world = new NotifierWorld({ events: { confirmationWindowSeconds: 0 } });
    for (const holds of [true, false, true, false]) {
      world.notifier.condition(condition('full'), holds);
      await world.clock.advance(1_000);
    }
    await world.clock.advance(minutes(60));
    expect(world.email.at).toEqual([0]);
  });

  it('is known by what it is about though its id names the instant, as those of the license do', async () => {
    const world = new NotifierWorld();
    for (let minute = 0; minute < 20; minute++) {
      const at = world.clock.now();
      world.notifier.condition(condition(`licenseExpiring-${at}`, { key: 'licenseExpiring', at }), true);
      await world.clock.advance(minutes(1));
    }
    expect(world.email.taken).toHaveLength(1);
  });

  it('waits as long as each destination asks', async () => {
    const world = new NotifierWorld({
      channels: {
        email: {
          enabled: true,
          recipients: [{ address: 'ops@example.org', events: { confirmationWindowSeconds: 10 } }],
        },
        teams: { enabled: true, webhooks: [{ name: 'team', url: 'https://hooks.example.net/x' }] },
      },
    });
    world.notifier.condition(condition('full'), true);
    await world.clock.advance(minutes(60));
    expect([world.email.at, world.teams.at]).toEqual([[10_000], [300_000]]);
  });
});

describe('a delivery', () => {
  const failing = (world: NotifierWorld, error: Error, times = Number.POSITIVE_INFINITY) => {
    world.email.answer = async () => {
      if (world.email.attempts <= times) throw error;
    };
  };

  it('is tried three times, two and four seconds apart, and then given up', async () => {
    const world = new NotifierWorld();
    failing(world, new DeliveryFailure('the mail server is not there'));
    world.notify(report('a'));
    await world.clock.advance(5_999);
    expect(world.email.attempts).toBe(2);
    await world.clock.advance(1);
    expect(world.email.attempts).toBe(3);
    await world.clock.advance(minutes(10));
    expect(world.email.attempts).toBe(3);
    expect(world.deliveries.entries().find(({ channel }) => channel === 'email')).toMatchObject({
      destination: 'ops@example.org',
      title: 'Report a',
      outcome: 'failed',
      attempts: 3,
      error: 'the mail server is not there',
    });
    expect(await world.sum('notificationDeliveries', { channel: 'email', outcome: 'failed' })).toBe(1);
  });

  it('that is taken at the second attempt is delivered once', async () => {
    const world = new NotifierWorld();
    failing(world, new DeliveryFailure('busy'), 1);
    world.notify(report('a'));
    await world.clock.advance(minutes(1));
    expect(world.email.taken).toEqual(['ops@example.org: Report a']);
    expect(world.deliveries.entries().find(({ channel }) => channel === 'email')).toMatchObject({
      outcome: 'delivered',
      attempts: 2,
    });
  });

  it('that can never be taken is not tried again', async () => {
    const world = new NotifierWorld();
    failing(world, new DeliveryFailure('no such mailbox', { permanent: true }));
    world.notify(report('a'));
    await world.clock.advance(minutes(1));
    expect(world.email.attempts).toBe(1);
  });

  it('waits as long as the destination asks', async () => {
    const world = new NotifierWorld();
    failing(world, new DeliveryFailure('too many', { retryAfterMs: 30_000 }), 1);
    world.notify(report('a'));
    await world.clock.advance(minutes(2));
    expect(world.email.at).toEqual([30_000]);
  });

  it('that gets no answer is given up after thirty seconds an attempt', async () => {
    const world = new NotifierWorld();
    world.email.answer = () => new Promise(() => {});
    world.notify(report('a'));
    await world.clock.advance(3 * 30_000 + 6_000);
    expect(world.deliveries.entries().find(({ channel }) => channel === 'email')).toMatchObject({
      outcome: 'failed',
      attempts: 3,
      error: 'no answer within 30 s',
    });
  });

  it('in several parts goes on where it failed, and sends no part twice', async () => {
    const world = new NotifierWorld();
    world.email.parts = 3;
    let calls = 0;
    world.email.answer = async () => {
      if (++calls === 2) throw new DeliveryFailure('busy');
    };
    world.notify(report('a'));
    await world.clock.advance(minutes(1));
    expect(world.email.taken).toEqual([1, 2, 3].map((part) => `ops@example.org: Report a ${part}`));
  });
});

describe('the queue', () => {
  it('never holds up who calls it, nor another destination', async () => {
    const world = new NotifierWorld();
    world.email.answer = () => new Promise(() => {});
    for (let index = 0; index < 10; index++) world.notify(report(`${index}`));
    await world.settle();
    expect(world.teams.taken).toHaveLength(10);
  });

  it('keeps twenty waiting, and drops the oldest of the lowest priority', async () => {
    const world = new NotifierWorld();
    let release = () => {};
    world.email.answer = () => new Promise((resolve) => (release = resolve));
    world.notify(report('first'));
    await world.settle();
    world.notify(report('high', { key: 'wakeFailed' }));
    for (let index = 0; index < 18; index++) world.notify(report(`low-${index}`));
    for (let index = 0; index < 5; index++) world.notify(report(`medium-${index}`, { key: 'standDown' }));
    await world.settle();
    expect(await world.sum('notificationsDropped', { channel: 'email' })).toBe(4);
    world.email.answer = async () => {};
    release();
    await world.settle();
    expect(world.email.taken.map((text) => text.replace('ops@example.org: Report ', ''))).toEqual([
      'first',
      'high',
      ...Array.from({ length: 14 }, (_, index) => `low-${index + 4}`),
      ...Array.from({ length: 5 }, (_, index) => `medium-${index}`),
    ]);
  });

  it('sends nothing more to a destination that the configuration no longer names', async () => {
    const world = new NotifierWorld();
    world.email.answer = () => new Promise(() => {});
    world.notify(report('a'));
    world.notify(report('b'));
    await world.settle();
    world.reconfigure({ channels: {} });
    world.notify(report('c'));
    await world.clock.advance(minutes(10));
    expect(world.email.attempts).toBe(1);
  });

  it('gives what is under way a moment when it stops, and ends then', async () => {
    const world = new NotifierWorld();
    world.email.answer = () => new Promise(() => {});
    world.notify(report('a'));
    world.notify(report('b'));
    const stopped = world.notifier.stop(5_000);
    await world.clock.advance(5_000);
    await stopped;
    expect(world.email.attempts).toBe(1);
  });
});

describe('the delivery log', () => {
  it('holds the last two hundred, newest first, and reaches the api as one frame a second', async () => {
    const world = new NotifierWorld({ channels: { email: { enabled: true, recipients: ['ops@example.org'] } } });
    for (let index = 0; index < 1_000; index++) {
      world.notify(report(`${index}`));
      await world.settle();
    }
    await world.clock.advance(1_000);
    expect(world.deliveries.entries()).toHaveLength(200);
    expect(world.deliveries.entries()[0]).toMatchObject({ title: 'Report 999', outcome: 'delivered', attempts: 1 });
    expect(world.frames).toHaveLength(1);
    expect(world.frames[0]).toEqual({ kind: 'deliveries', payload: { items: world.deliveries.entries() } });
  });
});
