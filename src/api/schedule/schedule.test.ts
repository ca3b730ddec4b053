import { afterEach, describe, expect, it } from 'vitest';
import { ApiWorld, adminAddress, userAddress } from '../../../test/support/api-world.ts';
import { outbox } from '../../state/outbox.ts';

let world: ApiWorld;
let token: string;
afterEach(() => world.stop());
const start = async (options: Parameters<typeof ApiWorld.start>[0] = {}) => {
  world = await ApiWorld.start(options);
  token = await world.token(adminAddress);
};
const setOverride = (date: string, body: object) =>
  world.call('setScheduleOverride', { params: { date }, body }, token);

describe('the schedule', () => {
  it('is shown to people of the company, fourteen days ahead', async () => {
    await start({ config: { auth: { allowedEmailDomains: ['example.com'] } } });
    const answer = (await world.call('schedule', {}, await world.token(userAddress))).json();
    expect(answer.now).toEqual({
      awake: true,
      code: 'working_hours',
      text: 'Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00',
      until: '2026-01-05T19:00:00.000Z',
    });
    expect(answer.plan.days).toHaveLength(14);
    expect(answer.plan.days[0]).toMatchObject({ date: '2026-01-05', weekday: 'monday', hours: '08:00-20:00' });
    expect(answer.week.sunday).toBe('off');
    const one = (await world.call('schedule', { query: { days: 1 } }, token)).json();
    expect(one.plan.days).toHaveLength(1);
  });

  it('takes other hours for a date, shows what follows, and tells who did it', async () => {
    await start();
    const answer = await setOverride('2026-01-06', { hours: 'off', reason: 'company holiday' });
    expect(answer.json().override).toMatchObject({
      date: '2026-01-06',
      hours: 'off',
      by: adminAddress,
      reason: 'company holiday',
    });
    expect(answer.json().plan.days[1]).toMatchObject({ date: '2026-01-06', hours: 'off', source: 'override' });
    await setOverride('2026-01-06', { hours: '10:00-12:00' });
    await setOverride('2026-01-10', { hours: 'on' });
    const { items } = (await world.call('scheduleOverrides', {}, token)).json();
    expect(items.map(({ date, hours }: Record<string, string>) => [date, hours])).toEqual([
      ['2026-01-06', '10:00-12:00'],
      ['2026-01-10', 'on'],
    ]);
    const removed = await world.call('removeScheduleOverride', { params: { date: '2026-01-06' } }, token);
    expect(removed.json().plan.days[1]).toMatchObject({ source: 'schedule' });
    const titles = (await world.call('audit', {}, token)).json().entries.map(({ title }: { title: string }) => title);
    expect(titles.toSorted()).toEqual([
      'Schedule Override Removed',
      'Schedule Override Set',
      'Schedule Override Set',
      'Schedule Override Set',
    ]);
  });

  it('sends a card for an override that is set and for one that is removed', async () => {
    await start();
    await setOverride('2026-01-06', { hours: '10:00-12:00' });
    await world.call('removeScheduleOverride', { params: { date: '2026-01-06' } }, token);
    const waiting = outbox.decode(world.stateData()?.['outbox']);
    expect(waiting.ok && waiting.value.map(({ notice }) => notice)).toMatchObject([
      {
        key: 'scheduleOverride',
        title: 'Schedule Override Set',
        facts: [
          { name: 'By', value: adminAddress },
          { name: '2026-01-06', value: '10:00-12:00' },
        ],
      },
      {
        key: 'scheduleOverride',
        title: 'Schedule Override Removed',
        facts: [
          { name: 'By', value: adminAddress },
          { name: '2026-01-06', value: 'no longer 10:00-12:00' },
        ],
      },
    ]);
  });

  const forecast = async () => {
    const answer = (await world.call('schedule', { query: { days: 1 } }, token)).json();
    return answer.forecast.map(({ from, to, awake, source, label }: Record<string, string>) =>
      [from?.slice(11, 16), to?.slice(11, 16), awake ? 'awake' : 'asleep', source, label].join(' '),
    );
  };

  it('forecasts what will be: the plan, and before it what people did', async () => {
    await start();
    expect(await forecast()).toEqual([
      '11:00 19:00 awake schedule Working hours',
      '19:00 23:00 asleep schedule Outside working hours',
    ]);
    await world.call('wakeUp', { body: { until: '2026-01-05T20:30:00Z' } }, token);
    expect(await forecast()).toEqual([
      `11:00 20:30 awake act woken by ${adminAddress} at 12:00`,
      '20:30 23:00 asleep schedule Outside working hours',
    ]);
    await world.call('triggerHibernation', {}, token);
    expect(await forecast()).toEqual([`11:00 23:00 asleep act hibernated by hand by ${adminAddress} at 12:00`]);
    await world.call('standDown', { body: { reason: 'incident' } }, token);
    expect(await forecast()).toEqual([
      `11:00 23:00 awake stop Handing everything back: stood down by ${adminAddress} (incident)`,
    ]);
  });

  it('shows the plan without a forecast while what people did cannot be read', async () => {
    await start({ state: { wake_override: '{spoilt' } });
    const answer = await world.call('schedule', {}, token);
    expect([answer.statusCode, 'forecast' in answer.json(), answer.json().plan.days.length]).toEqual([200, false, 14]);
  });

  const refusals = {
    'hours without two digits': ['2026-01-06', { hours: '8:00-20:00' }, 400, 'invalid_request'],
    'hours beyond the day': ['2026-01-06', { hours: '08:00-25:00' }, 400, 'invalid_request'],
    'a range that ends before it starts': ['2026-01-06', { hours: '20:00-08:00' }, 400, 'invalid_request'],
    'no hours': ['2026-01-06', {}, 400, 'invalid_request'],
    'a date that does not exist': ['2026-02-30', { hours: 'off' }, 400, 'invalid_request'],
    'a date that has passed': ['2026-01-01', { hours: 'off' }, 400, 'invalid_request'],
    'a date in another form': ['06.01.2026', { hours: 'off' }, 400, 'invalid_request'],
    'a reason with a URL': ['2026-01-06', { hours: 'off', reason: 'https://x.example' }, 400, 'reason_contains_url'],
    'a reason that is too long': ['2026-01-06', { hours: 'off', reason: 'x'.repeat(51) }, 400, 'reason_too_long'],
  } as const;
  for (const [name, [date, body, status, code]] of Object.entries(refusals)) {
    it(`refuses ${name}, and writes nothing`, async () => {
      await start();
      const answer = await setOverride(date, body);
      expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
      expect(world.stateData()).toBeUndefined();
    });
  }

  it('has no override to remove where there is none', async () => {
    await start();
    const answer = await world.call('removeScheduleOverride', { params: { date: '2026-01-06' } }, token);
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'There is no override for 2026-01-06.']);
  });

  it('forgets dates that have passed when another is set', async () => {
    const old = [{ date: '2025-12-24', hours: 'off', by: 'x', at: '2025-12-01T00:00:00Z' }];
    await start({ state: { schedule_overrides: JSON.stringify(old) } });
    await setOverride('2026-01-06', { hours: 'off' });
    expect(JSON.parse(world.stateData()?.['schedule_overrides'] ?? '')).toMatchObject([{ date: '2026-01-06' }]);
  });

  it('whose overrides cannot be decoded is not guessed', async () => {
    await start({ state: { schedule_overrides: '{' } });
    for (const id of ['schedule', 'scheduleOverrides', 'hibernationStatus'] as const) {
      const answer = await world.call(id, {}, token);
      expect([id, answer.statusCode, answer.json().details]).toEqual([
        id,
        503,
        { key: 'schedule_overrides', namespace: 'svc' },
      ]);
    }
    expect((await setOverride('2026-01-06', { hours: 'off' })).statusCode).toBe(503);
  });
});
