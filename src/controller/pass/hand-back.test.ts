import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { notStoodDown } from '../../domain/stops/stand-down-state.ts';
import { silentLogger } from '../../platform/silent-logger.ts';
import { StateSession } from '../../state/session/state-session.ts';
import { standDown } from '../../state/stand-down.ts';
import { Staleness } from '../act/staleness.ts';
import type { WakeStep } from '../wake/wake-step.ts';
import { handBack } from './hand-back.ts';

/** A pass of a stand-down that has nothing left to raise; `meanwhile` happens while it is looked for what is missing. */
async function handedBack(meanwhile: (pass: { aborter: AbortController; staleness: Staleness }) => void) {
  const stood = { ...notStoodDown, admin: { at: 1, actor: 'ada@example.com', reason: 'incident', id: 'one' } };
  const stored = { data: { [standDown.key]: standDown.encode(stood) ?? '' }, resourceVersion: '1' };
  const written: string[] = [];
  const session = new StateSession(
    {
      read: async () => stored,
      async write(_, changes) {
        written.push(...Object.keys(changes));
        return { outcome: 'done', state: { data: changes as Record<string, string>, resourceVersion: '2' } };
      },
      onChange: () => () => {},
    },
    stored,
  );
  const aborter = new AbortController();
  const staleness = new Staleness();
  const context = {
    session,
    staleness,
    signal: aborter.signal,
    clock: new VirtualClock(1_000),
    logger: silentLogger,
    frames: { send() {} },
    delivery: { take() {} },
    // The rest of a pass is for who raises.
  } as unknown as WakeStep;
  await handBack(context, async () => ({
    requeueAt: undefined,
    async pending() {
      meanwhile({ aborter, staleness });
      return [];
    },
  }));
  return written;
}

describe('a handback', () => {
  it('is finished once nothing is missing', async () => {
    expect(await handedBack(() => {})).toContain(standDown.key);
  });

  it('is not finished by a pass that is stopped, or no longer knows the cluster, while it looks for what is missing', async () => {
    expect(await handedBack(({ aborter }) => aborter.abort())).toEqual([]);
    expect(await handedBack(({ staleness }) => staleness.written())).toEqual([]);
  });
});
