import { describe, expect, it } from 'vitest';
import type { TransportRequest } from '../../src/ports/transport.ts';
import { standDownIntent, wakeIntent } from './actors/state-intents.ts';
import { MailedOffice } from './mailed-office.ts';
import { allUp, ann, hour, minute, OfficeWorld } from './office-world.ts';
import { isWrite } from './world/faulty-transport.ts';

const admin = { type: 'admin-stands-down', actor: ann, reason: 'a release' } as const;
const stoodDown = `Stood Down by ${ann}`;
const refused = { kind: 'status', status: 403, done: false } as const;
const conflict = { kind: 'status', status: 409, done: false } as const;

const toAudit = (request: TransportRequest) => isWrite(request) && text(request).includes('svc-audit-');
const toState = (request: TransportRequest) => isWrite(request) && request.path.includes('/svc-state');
const toEvents = (request: TransportRequest) => isWrite(request) && request.path.includes('/events');
const text = ({ path, body }: TransportRequest) => `${path} ${body ?? ''}`;

const tiers = {
  wakeOrdering: {
    tiers: [
      { name: 'data', timeout: '1m', select: [{ namespace: 'shop', labels: { tier: 'data' } }] },
      { name: 'web', select: [{ namespace: 'shop', labels: { tier: 'web' } }] },
    ],
  },
};
const slowDatabase = [
  { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 3, labels: { tier: 'web' } },
  {
    kind: 'StatefulSet',
    namespace: 'shop',
    name: 'db',
    replicas: 2,
    labels: { tier: 'data' },
    behaviour: { 'start-seconds': '300' },
  },
] as const;

describe('an audit log that cannot be written', () => {
  it('silences neither the card, the event nor the log line of a stand-down, nor holds up the handback', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.armOn(toAudit, refused);
    await standDownIntent(world, admin);
    await world.advance(2 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.cards()).toContain(stoodDown);
    expect(world.events('svc')).toMatchObject([{ type: 'Warning', reason: 'StoodDown' }]);
    expect(world.log.said('Stood down: ')).toHaveLength(1);
    expect(world.audited('Stood Down')).toEqual([]);
    world.faults.clear();
    await world.advance(2 * minute);
    expect(world.audited('Stood Down')).toHaveLength(1);
    expect([world.cards().filter((card) => card === stoodDown), world.events('svc')]).toMatchObject([
      [stoodDown],
      [{}],
    ]);
    expect(world.stateData()).not.toHaveProperty('outbox');
  });

  it('that does not answer holds up no handback either', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.armOn((request) => text(request).includes('svc.io%2Faudit'), { kind: 'silence', done: false });
    await standDownIntent(world, admin);
    await world.advance(10_000);
    expect(world.levels()).toEqual(allUp);
    expect(world.cards()).toContain(stoodDown);
  });

  it('for one entry alone takes the others', async () => {
    const world = await new OfficeWorld().at(20, 10);
    const spoilt = (request: TransportRequest) => toAudit(request) && lastLine(request).includes('"kind":"stand-down"');
    world.faults.armOn(spoilt, refused);
    await standDownIntent(world, admin);
    await world.advance(5 * minute);
    expect(world.audited('Stood Down')).toEqual([]);
    expect(world.audited('Wake Complete')).toHaveLength(1);
    expect(world.cards()).toEqual(expect.arrayContaining([stoodDown, 'Waking Up Resources', 'Wake Complete']));
  });

  it('does not keep a card that was taken from being marked so: a restart sends it to nobody twice', async () => {
    const world = await new MailedOffice().at(20, 10);
    world.faults.armOn(toAudit, refused);
    await standDownIntent(world, admin);
    await world.advance(5 * minute);
    expect(world.mails(stoodDown)).toHaveLength(2);
    world.start();
    await world.advance(5 * minute);
    expect(world.mails(stoodDown)).toHaveLength(2);
  });
});

function lastLine({ body = '' }: TransportRequest): string {
  const entries = (JSON.parse(body) as { data?: { entries?: string } }).data?.entries ?? '';
  return entries.trimEnd().split('\n').at(-1) ?? '';
}

describe('a barrier that timed out', () => {
  it('is told once, however many conflicts its write meets', async () => {
    const world = await new OfficeWorld({ config: tiers, workloads: slowDatabase }).at(21);
    let conflicts = 0;
    world.faults.armOn(
      (request) => toState(request) && text(request).includes('WakeBarrierTimeout') && ++conflicts <= 3,
      conflict,
      3,
    );
    // Without an outbox the write that releases the tier says nothing of it.
    world.faults.armOn(
      (request) => toState(request) && /walkedPast|releasedAt/.test(text(request)) && ++conflicts <= 3,
      conflict,
      3,
    );
    await world.at(32, 10);
    expect(conflicts).toBeGreaterThanOrEqual(3);
    expect(world.events('default').filter(({ reason }) => reason === 'WakeBarrierTimeout')).toHaveLength(1);
    expect(world.cards().filter((title) => title === 'Wake Barrier Timeout')).toHaveLength(1);
    expect(world.log.said('Wake barrier timeout')).toHaveLength(1);
  });

  it('is told by the next process when this one dies as it writes it', async () => {
    const world = await new OfficeWorld({ config: tiers, workloads: slowDatabase }).at(21);
    world.faults.armOn((request) => toState(request) && text(request).includes('Wake Barrier Timeout'), crash, 1);
    await world.at(32, 5);
    expect(world.alive).toBe(false);
    expect(world.cards()).not.toContain('Wake Barrier Timeout');
    world.start();
    await world.at(32, 20);
    expect(world.cards().filter((title) => title === 'Wake Barrier Timeout')).toHaveLength(1);
    expect(world.events('default').filter(({ reason }) => reason === 'WakeBarrierTimeout')).toHaveLength(1);
  });
});

const crash = { kind: 'crash', done: true } as const;

describe('a crash right after the write of an act', () => {
  const rows: Record<string, [hours: number, begin: (world: OfficeWorld) => void, needle: string, card: string]> = {
    'a wake that began': [31, () => {}, 'Waking Up Resources', 'Waking Up Resources'],
    'records that were rebuilt': [21, loseRecords, 'records-rebuilt', 'State Mismatch'],
    'a stand-down by configuration': [
      21,
      (world) => world.reconfigure({ global: { enabled: false } }),
      'Stood Down by configuration',
      'Stood Down by configuration',
    ],
  };
  for (const [name, [hours, begin, needle, card]] of Object.entries(rows)) {
    it(`loses nothing: ${name}`, async () => {
      const world = await new OfficeWorld().at(hours, 50);
      const before = world.cards().filter((title) => title === card).length;
      world.faults.armOn((request) => toState(request) && text(request).includes(needle), crash, 1);
      begin(world);
      await world.advance(15 * minute);
      expect([world.alive, world.cards().filter((title) => title === card).length - before]).toEqual([false, 0]);
      world.start();
      await world.advance(5 * minute);
      expect(world.cards().filter((title) => title === card).length - before).toBe(1);
    });
  }

  it('loses nothing: a license that stops scaling while nobody runs', async () => {
    const world = await new OfficeWorld().at(21);
    world.kill();
    world.setLicense({ found: 'text', text: 'no license' });
    world.start();
    await world.advance(5 * minute);
    expect(world.audited('License Stopped Scaling')).toMatchObject([{ actor: 'license' }]);
    world.start();
    await world.advance(5 * minute);
    expect(world.audited('License Stopped Scaling')).toHaveLength(1);
    world.kill();
    world.setLicense({ found: 'nothing' });
    world.start();
    await world.advance(5 * minute);
    expect(world.audited('License Lets Scaling Resume')).toHaveLength(1);
  });
});

function loseRecords(world: OfficeWorld): void {
  const object = world.store.get('configmaps', 'svc', 'svc-state')!;
  const { resource_states: _, ...data } = object['data'] as Record<string, string>;
  world.store.update(
    'configmaps',
    { ...object, data },
    {
      actor: { manager: 'kubectl-edit', operation: 'Update' },
    },
  );
}

describe('a card', () => {
  it('that no destination has taken when the process dies is sent by the next one', async () => {
    const world = await new MailedOffice().at(20, 10);
    world.answer = () => new Promise(() => {});
    await standDownIntent(world, admin);
    await world.advance(10_000);
    world.kill();
    world.answer = async () => {};
    world.start();
    await world.advance(minute);
    expect(world.mails(stoodDown).map(({ to }) => to)).toEqual(['ops@example.org', 'team']);
    await world.advance(hour);
    expect(world.mails(stoodDown)).toHaveLength(2);
    expect(world.stateData()).not.toHaveProperty('outbox');
  });

  it('that one destination has taken when the process dies is sent to the other alone', async () => {
    const world = await new MailedOffice().at(20, 10);
    world.answer = (to) => (to === 'team' ? new Promise(() => {}) : Promise.resolve());
    await standDownIntent(world, admin);
    await world.advance(5_000);
    expect(world.mails(stoodDown).map(({ to }) => to)).toEqual(['ops@example.org']);
    expect(world.stateData()['outbox']).not.toContain('ops@example.org');
    world.kill();
    world.answer = async () => {};
    world.start();
    await world.advance(minute);
    expect(world.mails(stoodDown).map(({ to }) => to)).toEqual(['ops@example.org', 'team']);
  });

  it('that is on its way when the process is told to stop is not sent again by the next one', async () => {
    const world = await new MailedOffice().at(20, 10);
    let take = () => {};
    world.answer = () => new Promise((resolve) => (take = resolve));
    world.setDestinations({ teams: { enabled: false, webhooks: [] } });
    await standDownIntent(world, admin);
    await world.advance(2_000);
    const stopped = world.process!.stop();
    await world.advance(1_000);
    world.answer = async () => {};
    take();
    await world.advance(5_000);
    await stopped;
    expect(world.mails(stoodDown)).toHaveLength(1);
    world.start();
    await world.advance(5 * minute);
    expect(world.mails(stoodDown)).toHaveLength(1);
  });

  it('that is given up after all tries leaves the outbox', async () => {
    const world = await new MailedOffice().at(20, 10);
    world.answer = async () => {
      throw new Error('no such host');
    };
    await standDownIntent(world, admin);
    await world.advance(10 * minute);
    expect(world.stateData()).not.toHaveProperty('outbox');
    world.answer = async () => {};
    world.start();
    await world.advance(5 * minute);
    expect(world.mails(stoodDown)).toEqual([]);
  });
});

describe('an event', () => {
  it('that is told again after a crash is there once', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.armOn(toEvents, crash, 1);
    await standDownIntent(world, admin);
    await world.advance(minute);
    expect(world.alive).toBe(false);
    world.start();
    await world.advance(5 * minute);
    expect(world.events('svc')).toHaveLength(1);
  });

  it('that the cluster does not take now is tried again, and holds nothing up', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.armOn(toEvents, { kind: 'status', status: 500, done: false });
    await standDownIntent(world, admin);
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.audited('Stood Down')).toHaveLength(1);
    world.faults.clear();
    await world.advance(2 * minute);
    expect(world.events('svc')).toHaveLength(1);
    expect(world.stateData()).not.toHaveProperty('outbox');
  });

  it('that nobody may write is given up at once', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.armOn(toEvents, refused);
    await standDownIntent(world, admin);
    await world.advance(5 * minute);
    expect(world.stateData()).not.toHaveProperty('outbox');
    expect(world.log.said('A Kubernetes event could not be written').length).toBeLessThan(5);
  });
});

describe('an outbox that cannot be decoded', () => {
  it('holds up no wake, and is kept aside for a person to read', async () => {
    const world = await new OfficeWorld().at(21);
    const object = world.store.get('configmaps', 'svc', 'svc-state')!;
    const data = { ...(object['data'] as Record<string, string>), outbox: '{"edited":"by hand"}' };
    world.store.update(
      'configmaps',
      { ...object, data },
      {
        actor: { manager: 'kubectl-edit', operation: 'Update' },
      },
    );
    await wakeIntent(world, ann, hour);
    await world.advance(5 * minute);
    expect(world.levels()).toEqual(allUp);
    expect(world.cards()).toContain('Wake Complete');
    expect(world.log.said('The outbox cannot be decoded: it is set aside')).toHaveLength(1);
    expect(world.stateData()['outbox_set_aside']).toBe('{"edited":"by hand"}');
    expect(world.stateData()).not.toHaveProperty('outbox');
  });
});

describe('a line of the log', () => {
  const finishedHandback = (request: TransportRequest) => toState(request) && /handbackDone\W+true/.test(text(request));

  it('says once that the handback is finished, however many conflicts its write meets', async () => {
    const world = await new OfficeWorld().at(20, 10);
    let conflicts = 0;
    world.faults.armOn((request) => finishedHandback(request) && ++conflicts <= 3, conflict);
    await standDownIntent(world, admin);
    await world.advance(10 * minute);
    expect(conflicts).toBeGreaterThanOrEqual(3);
    expect(world.standDownState().handbackDone).toBe(true);
    expect(world.log.said('Handback finished: ')).toHaveLength(1);
  });

  const endings = [
    ['Hibernation finished', 'Hibernation Complete', 19],
    ['Wake finished', 'Wake Complete', 31],
  ] as const;
  it.each(endings)('that says %s is not lost in a crash right after the write', async (line, title, hours) => {
    const world = await new OfficeWorld().at(hours, 50);
    const before = world.log.said(line).length;
    world.faults.armOn((request) => toState(request) && text(request).includes(title), crash, 1);
    await world.advance(30 * minute);
    expect(world.alive).toBe(false);
    world.start();
    await world.advance(5 * minute);
    expect(world.log.said(line).length - before).toBe(1);
  });

  it('that says the handback is finished is not lost in a crash right after the write either', async () => {
    const world = await new OfficeWorld().at(20, 10);
    world.faults.armOn(finishedHandback, crash, 1);
    await standDownIntent(world, admin);
    await world.advance(10 * minute);
    expect(world.alive).toBe(false);
    world.start();
    await world.advance(5 * minute);
    expect(world.log.said('Handback finished: ')).toHaveLength(1);
  });
});
