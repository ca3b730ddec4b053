import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { announcingState } from '../../../test/support/announcing-state.ts';
import { parseConfig } from '../../config/config.ts';
import { noHolidays } from '../../domain/holiday/regional-holidays.ts';
import { standardFigures } from '../../domain/wake/verdict/figures.ts';
import type { DatabaseReading } from '../../ports/databases.ts';
import { compileConfig } from '../../service/compiled-config.ts';
import { databaseStates } from '../../state/database-states.ts';
import { ActBackoff } from '../act/act-backoff.ts';
import { PassConditions } from '../notifications/pass-conditions.ts';
import { type DatabaseStep, startDatabases, stopDatabases } from './database-steps.ts';

const day = 24 * 3_600_000;

/** A database that we stopped `ago`, and that the cloud answers for as it is told to. */
async function stoppedBefore(ago: number, reading: DatabaseReading, answer?: 'refuses writes') {
  const clock = new VirtualClock(Date.UTC(2026, 0, 20));
  const state = { status: 'stopped', stoppedByUs: true, at: clock.now() - ago } as const;
  const text = databaseStates.encode(new Map([['orders', state]]))!;
  const announcing = await announcingState(clock, { database_states: text }, answer);
  const parsed = parseConfig({
    clusterName: 'c',
    externalUrl: 'https://svc.example.com',
    databases: { orders: { type: 'instance', identifier: 'orders', region: 'eu-central-1' } },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const step: DatabaseStep = {
    ...announcing,
    clock,
    databases: {
      read: async () => reading,
      stop: async () => ({ outcome: 'done' }),
      start: async () => ({ outcome: 'done' }),
    },
    compiled: compileConfig(parsed.config, { ownNamespace: 'svc', holidays: noHolidays, figures: standardFigures }),
    trigger: { actor: 'schedule', cause: 'outside_working_hours' },
    signal: new AbortController().signal,
    stopsSent: new Map(),
    backoff: new ActBackoff(clock, announcing.logger),
    conditions: new PassConditions({ notify: async () => {}, condition() {} }),
  };
  return { step, logger: announcing.logger };
}

const lines: readonly (readonly [string, number, DatabaseReading, typeof stopDatabases | typeof startDatabases])[] = [
  [
    'A stopped database was started by somebody and is left alone until the next hibernation',
    3_600_000,
    { condition: 'available' },
    stopDatabases,
  ],
  ['The cloud restarted a stopped database; it is stopped again', 7 * day, { condition: 'available' }, stopDatabases],
  [
    'A database that was stopped no longer exists; its record is dropped',
    3_600_000,
    { condition: 'failed', gone: true },
    startDatabases,
  ],
];

describe('what is told of a database', () => {
  it.each(lines)('is told once it is written: %s', async (line, ago, reading, run) => {
    const { step, logger } = await stoppedBefore(ago, reading);
    await run(step, ['orders']);
    expect(logger.lines.map(({ message, fields }) => [message, fields])).toEqual([[line, { database: 'orders' }]]);
  });

  it.each(lines)('is not told when the write is refused: %s', async (_, ago, reading, run) => {
    const { step, logger } = await stoppedBefore(ago, reading, 'refuses writes');
    await expect(run(step, ['orders'])).rejects.toThrow('svc-state is forbidden');
    expect(logger.lines).toEqual([]);
  });
});
