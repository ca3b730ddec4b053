import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';

const company = { auth: { allowedEmailDomains: ['example.com'] } };
let world: ApiWorld;
afterEach(() => world.stop());

const start = async (config: Readonly<Record<string, unknown>> = company) => {
  world = await ApiWorld.start({ config });
};
const make = async (who: string, name?: string) => {
  const answer = await world.call(
    'makeCalendarFeed',
    { body: name === undefined ? {} : { name } },
    await world.token(who),
  );
  expect(answer.statusCode).toBe(200);
  return answer.json() as { feed: { id: string }; token: string };
};
const read = (token: string) => world.call('calendar', { params: { token } });

describe('a calendar address', () => {
  it('opens the schedule to a program that cannot sign in', async () => {
    await start({ ...company, holidays: { regions: ['DE'], act: true } });
    const admin = await world.token(adminAddress);
    const date = { params: { date: '2026-01-06' }, body: { hours: '10:00-12:00', reason: 'release, late' } };
    await world.call('setScheduleOverride', date, admin);
    const { token } = await make(userAddress, 'phone');
    const answer = await read(token);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    const lines = answer.body.replaceAll('\r\n ', '').split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0']);
    expect(lines).toContain('SUMMARY:test has other hours: 10:00-12:00');
    expect(lines).toContain('DESCRIPTION:release\\, late');
    // Monday 20:00 in Berlin, when the plan next lets it sleep; and the weekend, from the date on that is two before.
    expect(lines).toContain('DTSTART:20260105T190000Z');
    expect(lines.filter((line) => line.startsWith('DTSTART:'))[0]).toBe('DTSTART:20260102T230000Z');
    expect(answer.body).not.toContain(userAddress);
  });

  it('names holidays with their region', async () => {
    await start({ ...company, holidays: { regions: ['AT'], act: true } });
    const { token } = await make(adminAddress);
    const lines = (await read(token)).body.replaceAll('\r\n ', '').split('\r\n');
    expect(lines).toContain('SUMMARY:Epiphany (AT)');
    expect(lines).toContain('DTSTART;VALUE=DATE:20260106');
  });

  it('tells its token once: what is stored opens nothing and names nobody', async () => {
    await start();
    const { token } = await make(userAddress);
    const stored = JSON.stringify(world.stateData());
    expect(stored).toContain('calendar_feeds');
    expect(stored).not.toContain(token);
    const feeds = JSON.parse(world.stateData()?.['calendar_feeds'] ?? '[]') as { token: string; owner: string }[];
    expect(JSON.stringify(feeds)).not.toContain('bob');
    expect((await read(feeds[0]!.token)).statusCode).toBe(404);
    expect(world.log.map(({ fields, message }) => JSON.stringify({ message, fields })).join()).not.toContain(token);
  });

  it('is nothing with a wrong token, and too many of those are told to wait', async () => {
    await start();
    const { token } = await make(userAddress);
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    expect((await read(wrong)).json()).toMatchObject({ code: 'not_found' });
    let last = 404;
    for (let turn = 0; turn < 40; turn++) last = (await read(wrong)).statusCode;
    expect(last).toBe(429);
    // Who was given an address is not kept out by who was not.
    expect((await read(token)).statusCode).toBe(200);
    for (let turn = 0; turn < 40; turn++) last = (await read(token)).statusCode;
    expect(last).toBe(429);
  });

  it('is closed by revoking it: its owner or an admin can, nobody else', async () => {
    await start();
    const { token, feed } = await make(adminAddress, 'wall display');
    const mine = await make(userAddress);
    const user = await world.token(userAddress);
    const admin = await world.token(adminAddress);
    const names = async (who: string) =>
      (await world.call('calendarFeeds', {}, who))
        .json()
        .items.map(({ owner, own }: Record<string, unknown>) => [owner, own]);
    expect(await names(user)).toEqual([[userAddress, true]]);
    expect(await names(admin)).toEqual([
      [adminAddress, true],
      [userAddress, false],
    ]);
    expect((await world.call('revokeCalendarFeed', { params: { id: feed.id } }, user)).statusCode).toBe(404);
    expect((await world.call('revokeCalendarFeed', { params: { id: mine.feed.id } }, admin)).statusCode).toBe(200);
    expect((await read(mine.token)).statusCode).toBe(404);
    expect((await read(token)).statusCode).toBe(200);
    const titles = (await world.call('audit', {}, admin)).json().entries.map(({ title }: { title: string }) => title);
    expect(titles.toSorted()).toEqual(['Calendar Address Made', 'Calendar Address Made', 'Calendar Address Revoked']);
  });

  it('ends with the right to see the schedule, and comes back with it', async () => {
    await start();
    const { token } = await make(userAddress);
    world.configure({ auth: { allowedEmailDomains: ['elsewhere.com'] } });
    await world.pass();
    expect((await read(token)).statusCode).toBe(404);
    world.configure(company);
    await world.pass();
    expect((await read(token)).statusCode).toBe(200);
  });

  it('outlives a restart', async () => {
    await start();
    const { token } = await make(userAddress);
    await world.restart();
    expect((await read(token)).statusCode).toBe(200);
  });

  it('is one of ten', async () => {
    await start();
    const user = await world.token(userAddress);
    for (let turn = 0; turn < 10; turn++) await world.call('makeCalendarFeed', { body: {} }, user);
    const answer = await world.call('makeCalendarFeed', { body: {} }, user);
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      'You have 10 calendar addresses already: revoke one that nobody uses.',
    ]);
  });

  it('says what cannot be read in plain words, to who has not signed in', async () => {
    await start();
    const { token } = await make(userAddress);
    world.setState({ ...world.stateData(), calendar_feeds: '{spoilt' });
    await world.pass();
    const answer = await read(token);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      503,
      {
        code: 'managed_state_unavailable',
        message: 'The value of calendar_feeds in ConfigMap svc-state cannot be decoded.',
        details: { key: 'calendar_feeds' },
      },
    ]);
  });
});
