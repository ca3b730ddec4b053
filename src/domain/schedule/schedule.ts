import type { EpochMs } from '../workload.ts';
import type { CompiledSchedule, DateHours } from './compile.ts';
import { asleepCause, awakeCause, stateText } from './wording.ts';

export type ScheduleReasonCode = 'working_hours' | 'outside_working_hours' | 'schedule_override' | 'holiday';

interface ScheduleReason {
  readonly code: ScheduleReasonCode;
  /** The whole sentence: `Awake until 20:00 (Europe/Berlin): working hours of Monday 08:00-20:00`. */
  readonly text: string;
  /** What follows the colon. */
  readonly cause: string;
}

export interface ScheduleState {
  readonly awake: boolean;
  readonly reason: ScheduleReason;
  /** The edge that began this state; absent when the schedule has none before. */
  readonly since?: EpochMs;
  /** The next edge; absent when the schedule never changes again. */
  readonly until?: EpochMs;
}

export interface Edge {
  readonly at: EpochMs;
  readonly opens: boolean;
}

/** What the schedule alone says at an instant, and why. */
export function scheduleAt(schedule: CompiledSchedule, now: EpochMs): ScheduleState {
  const { awake, from, to } = schedule.stretchAt(now);
  const date = awake ? dateAwakeAt(schedule, now) : schedule.hoursOn(schedule.zone.wallTime(now).day);
  const state = stateText(schedule, awake ? 'Awake' : 'Hibernated', now, to);
  const cause = awake ? awakeCause(date) : asleepCause(date);
  return {
    awake,
    reason: { code: codeOf(awake, date), text: `${state}: ${cause}`, cause },
    ...(from === undefined ? {} : { since: from }),
    ...(to === undefined ? {} : { until: to }),
  };
}

/** The next edges strictly after now, at most `count`; fewer when the schedule has no more. */
export function nextEdges(schedule: CompiledSchedule, now: EpochMs, count: number): readonly Edge[] {
  const edges: Edge[] = [];
  let stretch = schedule.stretchAt(now);
  while (edges.length < count && stretch.to !== undefined) {
    edges.push({ at: stretch.to, opens: !stretch.awake });
    stretch = schedule.stretchAt(stretch.to);
  }
  return edges;
}

/** When working hours next begin after this instant; undefined when they never do. */
export function nextOpening(schedule: CompiledSchedule, after: EpochMs): EpochMs | undefined {
  return nextEdges(schedule, after, 2).find((edge) => edge.opens)?.at;
}

/** In a repeated hour the range that holds now can belong to a neighbouring date. */
function dateAwakeAt(schedule: CompiledSchedule, now: EpochMs): DateHours {
  const today = schedule.zone.wallTime(now).day;
  for (const day of [today, today - 1, today + 1]) {
    if (schedule.spansOn(day).some((span) => now >= span.from && now < span.to)) return schedule.hoursOn(day);
  }
  return schedule.hoursOn(today);
}

function codeOf(awake: boolean, date: DateHours): ScheduleReasonCode {
  if (date.source === 'override') return 'schedule_override';
  if (awake) return 'working_hours';
  return date.source === 'holiday' ? 'holiday' : 'outside_working_hours';
}
