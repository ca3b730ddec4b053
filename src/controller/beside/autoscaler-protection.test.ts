import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { RecordingLogger } from '../../../test/support/recording-logger.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import { StateSession } from '../../state/session/state-session.ts';
import type { StoredState } from '../../state/state-store.ts';
import { transition } from '../transition/transition.ts';
import { AutoscalerProtection } from './autoscaler-protection.ts';
import type { CompanionStep } from './companion.ts';

const minute = 60_000;
const refused: WriteOutcome = { outcome: 'refused', status: 403, message: 'pods "svc-app-1" is forbidden' };

/** Two pods of ours that the cluster answers for as it is told to. */
async function installation() {
  let stored: StoredState = { data: {}, resourceVersion: '1' };
  const store = {
    read: async () => stored,
    async write(_base: unknown, changes: Readonly<Record<string, string | undefined>>) {
      const data = Object.entries({ ...stored.data, ...changes }).filter(([, value]) => value !== undefined);
      stored = { data: Object.fromEntries(data) as Record<string, string>, resourceVersion: '2' };
      return { outcome: 'done', state: stored } as const;
    },
    onChange: () => () => {},
  };
  const logger = new RecordingLogger();
  const clock = new VirtualClock(0);
  const annotations: Record<string, string | null> = {};
  const world = { answer: refused, tries: 0, fenceHolds: true };
  const protection = new AutoscalerProtection({
    list: async () =>
      ['svc-app-1', 'svc-controller-1'].map((name) => ({
        name,
        resourceVersion: '1',
        annotations: Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== null)) as Record<
          string,
          string
        >,
      })),
    async annotate(_pod, change) {
      world.tries += 1;
      if (world.answer.outcome === 'done') Object.assign(annotations, change);
      return world.answer;
    },
  });
  const context = {
    session: await StateSession.open(store),
    clock,
    logger,
    desired: { wanted: 'handback' },
    fence: { begin() {}, holds: async () => world.fenceHolds },
  } as unknown as CompanionStep; // Only what the companion uses of a pass.
  return { world, logger, clock, protection, context };
}

describe('the protection of our own pods, where they may not be annotated', () => {
  it('is told once a night and tried once a minute, however many passes there are', async () => {
    const { world, logger, clock, protection, context } = await installation();
    for (let pass = 0; pass < 300; pass++) {
      await protection.sleep(context);
      await clock.advance(1000);
    }
    expect(logger.lines.map(({ level, message, fields }) => [level, message, fields])).toEqual([
      [
        'warn',
        'A pod of our own cannot be annotated, and a node autoscaler may take its node',
        { pod: 'svc-app-1', message: 'pods "svc-app-1" is forbidden' },
      ],
    ]);
    expect(world.tries).toBe(10);
  });

  it('annotates none once the pass has to decide anew', async () => {
    const { world, protection, context } = await installation();
    world.fenceHolds = false;
    await protection.sleep(context);
    expect(world.tries).toBe(0);
  });

  it('is told again the next night', async () => {
    const { world, logger, clock, protection, context } = await installation();
    await protection.sleep(context);
    world.answer = { outcome: 'done' };
    await clock.advance(minute);
    await protection.sleep(context);
    expect(await protection.wake(context)).toEqual([]);
    world.answer = refused;
    await protection.sleep(context);
    expect(logger.lines.length).toBe(2);
  });

  it('is tried on the next pass where somebody else wrote first', async () => {
    const { world, clock, protection, context } = await installation();
    world.answer = { outcome: 'conflict' };
    await protection.sleep(context);
    await clock.advance(1000);
    await protection.sleep(context);
    expect(world.tries).toBe(4);
  });
});

describe('the protection of our own pods, while a wake runs', () => {
  /** Only what the companion uses of a pass in a wake. */
  const inWake = (context: CompanionStep, wanted: string) =>
    ({
      ...context,
      desired: { wanted },
      session: {
        get: (codec: never) =>
          codec === transition ? { payload: { kind: 'wake', wake: {} } } : context.session.get(codec),
        write: async () => undefined,
      },
    }) as unknown as CompanionStep; // A session has more than a companion asks of it.

  it('stays, and is nothing that the wake has left down', async () => {
    const { world, protection, context } = await installation();
    world.answer = { outcome: 'done' };
    await protection.sleep(context);
    expect([await protection.wake(inWake(context, 'awake')), world.tries]).toEqual([[], 2]);
    const over = { ...context, desired: { wanted: 'awake' } } as CompanionStep;
    expect([await protection.wake(over), world.tries]).toEqual([[], 4]);
  });

  it('goes with a handback, which waits for no verdict', async () => {
    const { world, protection, context } = await installation();
    world.answer = { outcome: 'done' };
    await protection.sleep(context);
    expect([await protection.wake(inWake(context, 'handback')), world.tries]).toEqual([[], 4]);
  });
});

describe('what a dry run says of the protection of our own pods', () => {
  const ours = ['svc-app-1', 'svc-controller-1'];
  const wanting = (context: CompanionStep, wanted: string) => ({ ...context, desired: { wanted } }) as CompanionStep;

  it('names the pods that a hibernation would annotate, and changes nothing', async () => {
    const { world, protection, context } = await installation();
    expect(await protection.plan(wanting(context, 'hibernated'))).toEqual({ protect: ours, unprotect: [] });
    expect([world.tries, context.session.snapshot.data]).toEqual([0, {}]);
  });

  it('names none by day, and those that are still annotated', async () => {
    const { world, protection, context } = await installation();
    expect(await protection.plan(wanting(context, 'awake'))).toEqual({ protect: [], unprotect: [] });
    world.answer = { outcome: 'done' };
    await protection.sleep(context);
    expect(await protection.plan(wanting(context, 'hibernated'))).toEqual({ protect: [], unprotect: [] });
    expect(await protection.plan(wanting(context, 'awake'))).toEqual({ protect: [], unprotect: ours });
  });
});
