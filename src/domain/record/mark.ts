import { annotations } from '../names.ts';
import type { Scalable, Switched, Workload } from '../workload.ts';
import { isDown, isScalable } from '../workload.ts';
import { isPlausibleCount, isPlausibleValue } from './record.ts';

/** What our own annotations on a workload say: the record that is written in one patch with the act itself. */
export interface Mark {
  /** The count to restore; absent when somebody made the text unreadable, and for what is suspended. */
  readonly count?: number;
  /** What stood at the place before, as JSON; null when nothing did, absent when somebody made the text unreadable. */
  readonly before?: string | null;
  /** False for a copy of a hibernated workload: the mark was written to another object. */
  readonly genuine: boolean;
}

export function markOf(workload: Workload): Mark | undefined {
  return isScalable(workload) ? replicaMark(workload) : suspendMark(workload);
}

/**
 * The mark that was written to this very object; a copy's mark tells nothing about the copy. A mark that names no object
 * counts on one that is recorded.
 */
export function ownMark(workload: Workload, recorded: boolean): Mark | undefined {
  const mark = markOf(workload);
  const namesNone = workload.annotations[annotations.markedUid] === undefined;
  return mark !== undefined && (mark.genuine || (recorded && namesNone)) ? mark : undefined;
}

function replicaMark(workload: Scalable): Mark | undefined {
  const text = workload.annotations[annotations.hibernatedReplicas];
  if (text === undefined) return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  const genuine = isGenuine(workload);
  return isPlausibleCount(count) ? { genuine, count } : { genuine };
}

function suspendMark(workload: Switched): Mark | undefined {
  return workload.annotations[annotations.suspendedByService] === undefined
    ? undefined
    : { genuine: isGenuine(workload), ...beforeIn(workload.annotations[annotations.valueBefore]) };
}

function beforeIn(text: string | undefined): Pick<Mark, 'before'> {
  if (text === undefined) return { before: null };
  try {
    JSON.parse(text);
    return isPlausibleValue(text) ? { before: text } : {};
  } catch {
    return {};
  }
}

/** How a suspended workload stood before, by its mark; undefined when the mark does not tell. */
export function stoodBefore({ before }: Mark): Pick<Switched, 'suspended' | 'value'> | undefined {
  if (before === undefined) return undefined;
  return before === null ? { suspended: false } : { suspended: false, value: before };
}

function isGenuine(workload: Workload): boolean {
  return workload.annotations[annotations.markedUid] === workload.uid;
}

/** Whether the mark is that of another release on the same cluster. One that names no release may be anybody's. */
export function isMarkedByAnother(workload: Workload, release: string): boolean {
  const by = workload.annotations[annotations.markedBy];
  return by !== undefined && by !== release;
}

/** The field manager of what is not there. */
export const nobody = '';

/** The field manager that last set whether it runs; known from a fresh read only. */
export function setBy(workload: Workload): string | undefined {
  return isScalable(workload) ? workload.replicasSetBy : workload.suspendSetBy;
}

/** True while the workload stands as we put it: at zero, or suspended, with our mark on it. */
export function isDownByUs(workload: Workload): boolean {
  return isDown(workload) && markOf(workload) !== undefined;
}
