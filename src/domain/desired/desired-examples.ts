// A working week in Berlin and what people do in it, for tests.
import { exampleSchedule, instant, officeWeek } from '../schedule/schedule-examples.ts';
import { type DesiredInput, type DesiredState, desiredState } from './desired-state.ts';

const schedule = exampleSchedule('Europe/Berlin', officeWeek);
/** A time of monday, 16 November 2026, in Berlin. */
export const day = (time: string) => instant(`2026-11-16T${time}+01:00`);
export const nextDay = (time: string) => instant(`2026-11-17T${time}+01:00`);
const licensed = { acts: true, verdict: 'licensed' } as const;

/** What is wanted under office hours, licensed, with nothing else going on but what is given. */
export function at(now: number, more: Partial<DesiredInput> = {}): DesiredState {
  return desiredState({
    schedule,
    license: licensed,
    handbackDone: false,
    externalSessions: [],
    dryRun: false,
    ...more,
    now,
  });
}

export const ann = (time: number) => ({ by: 'ann@example.org', at: time });
export const session = (startedAt: number, expiresAt: number, namespaces: string[] = []) => ({
  id: `${startedAt}`,
  cluster: 'staging',
  startedAt,
  expiresAt,
  resources: namespaces.map((namespace) => ({ namespace })),
});
