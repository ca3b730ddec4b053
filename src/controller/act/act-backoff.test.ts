import { expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import { ActBackoff } from './act-backoff.ts';

const failure = { kind: 'refused', message: 'denied' } as const;

it('what nobody has tried for an hour since it was due begins anew; what is tried, or on its way, does not', async () => {
  const clock = new VirtualClock(0);
  const backoff = new ActBackoff(clock, silentLogger);
  for (const write of ['lower a', 'lower b', 'lower c']) backoff.failed(write, failure);
  for (let minute = 0; minute < 75; minute++) {
    await clock.advance(60_000);
    backoff.failed('lower b', failure);
  }
  backoff.left('lower c');
  backoff.endedLongAgo();
  expect(['lower a', 'lower b', 'lower c'].map((write) => backoff.lasting(write))).toEqual([
    undefined,
    'denied',
    'denied',
  ]);
});
