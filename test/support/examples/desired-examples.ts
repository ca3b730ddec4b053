// A working week in Berlin and what people do in it, for tests.

import type { Acts } from '../../../src/domain/desired/choice.ts';
import { type DesiredInput, type DesiredState, desiredState } from '../../../src/domain/desired/desired-state.ts';
import type { StopInput } from '../../../src/domain/desired/hand-back-or-nothing.ts';
import type { Taken } from '../../../src/domain/desired/managed-state.ts';
import { notStoodDown, type StandDownState } from '../../../src/domain/stops/stand-down-state.ts';
import { exampleSchedule, instant, officeWeek } from './schedule-examples.ts';

const schedule = exampleSchedule('Europe/Berlin', officeWeek);
/** A time of monday, 16 November 2026, in Berlin. */
export const day = (time: string) => instant(`2026-11-16T${time}+01:00`);
export const nextDay = (time: string) => instant(`2026-11-17T${time}+01:00`);
const licensed = { acts: true, verdict: 'licensed' } as const;

/** Nothing is down and nothing of ours stands anywhere. */
export const nothingTaken: Taken = {
  records: [],
  satellites: [],
  databases: new Map(),
  autoscalerProtection: null,
  transition: null,
  phase: { phase: 'awake' },
};

/** What a test says about the world; the rest is an ordinary day. */
export type Given = Partial<Acts & StopInput & Pick<DesiredInput, 'schedule' | 'dryRun'>>;

/** What is wanted under office hours, licensed, with nothing else going on but what is given. */
export function at(now: number, given: Given = {}): DesiredState {
  const { wakeOverride = null, manualHibernation = null, externalSessions = [], handbackDone = false } = given;
  return desiredState({
    now,
    schedule: given.schedule ?? schedule,
    dryRun: given.dryRun ?? false,
    license: given.license === undefined ? licensed : given.license,
    state: {
      ...nothingTaken,
      records: handbackDone ? [] : ['a workload that is down'],
      standDown: stoodDown(given),
      wakeOverride,
      manualHibernation,
      externalSessions,
      undecodable: { awake: [], hibernated: [] },
    },
  });
}

function stoodDown({ standDown, handbackDone = false, stopEndedAt }: Given): StandDownState {
  const ended = stopEndedAt === undefined ? {} : { ended: { actor: 'ann@example.org', at: stopEndedAt } };
  if (standDown === undefined) return { ...notStoodDown, ...ended };
  const { actor, reason } = standDown;
  if (actor === 'configuration') return { ...notStoodDown, ...ended, configuration: { at: 0 }, handbackDone };
  const admin = { actor, at: 0, ...(reason === undefined ? {} : { reason }) };
  return { ...notStoodDown, ...ended, admin, handbackDone };
}

export const ann = (time: number) => ({ by: 'ann@example.org', at: time });
export const session = (startedAt: number, expiresAt: number, namespaces: string[] = []) => ({
  id: `${startedAt}`,
  cluster: 'staging',
  startedAt,
  expiresAt,
  resources: namespaces.map((namespace) => ({ namespace })),
});
