import { auditEntry } from '../audit/entry.ts';
import type { AuditKind } from '../audit/titles.ts';
import type { Notice } from '../notification/notice.ts';
import { levelInWords } from '../record/in-words.ts';
import { setBy } from '../record/mark.ts';
import { type EpochMs, isDown, type Workload, workloadKey } from '../workload.ts';
import { type Announcement, ofEntry } from './announcement.ts';

// What happened to workloads while the cluster slept, and what the service found of its own records.

/** `occasion` tells apart two announcements of one kind within the same millisecond. */
export interface Occasion {
  readonly at: EpochMs;
  readonly occasion: string;
}

/** An owner changed the scale of what sleeps. The card is a condition, so that it is confirmed and sent once. */
export function replicasChanged(sentences: readonly string[], when: Occasion): Announcement {
  return ofEntry(entry('replicas-changed-by-owner', sentences, when));
}

export interface OwnerChange {
  readonly before: string;
  readonly now: string;
  readonly up: boolean;
  /** The field manager that did it; empty or absent when the cluster does not tell. */
  readonly setBy: string | undefined;
}

/** The sentence for a workload as it stands, by its key. */
export function ownerChangeOf(workload: Workload, before: string): readonly [key: string, sentence: string] {
  const key = workloadKey(workload);
  const change = { before, now: levelInWords(workload), up: !isDown(workload), setBy: setBy(workload) };
  return [key, ownerChangeText(key, change)];
}

/** What somebody did to a workload that we had put to sleep, by the name under which it is known to the cluster. */
export function ownerChangeText(workload: string, { before, now, up, setBy }: OwnerChange): string {
  if (before === now && up) {
    return setBy
      ? `${workload} is raised by ${setBy} to what it was before it slept: ${now}`
      : `${workload} is what it was before it slept: ${now}`;
  }
  if (!setBy) return `${workload} was ${before} and is ${now} now`;
  return up
    ? `${workload} is raised by ${setBy}: it was ${before} and is ${now} now`
    : `${workload} was ${before} and is ${now} now, set by ${setBy}`;
}

export function workloadsGone(workloads: readonly string[], when: Occasion): Announcement {
  return removed('workload-removed', `No longer in the cluster: ${workloads.join(', ')}`, workloads, when);
}

export function workloadsHandedBack(workloads: readonly string[], when: Occasion): Announcement {
  return removed('workload-handed-back', `Handed back: ${workloads.join(', ')}`, workloads, when);
}

/** What the hibernation could not take down, and a later try could. The card of the hibernation named it already. */
export function workloadsLoweredLate(workloads: readonly string[], when: Occasion): Announcement {
  return ofEntry(entry('workload-lowered-late', workloads, when));
}

/** A running transition could not be decoded and was moved out of the way of a wake. */
export function transitionSetAside(problem: string, keptAs: string, at: EpochMs): Announcement {
  const text = `${problem} It was set aside as ${keptAs}, and everything recorded comes up without it.`;
  const message = 'A transition that cannot be decoded was set aside, and everything recorded comes up without it';
  return {
    id: `transition-set-aside-${at}`,
    at,
    notice: mismatch('transition-set-aside', text, at),
    log: { level: 'error', message, fields: { error: problem, keptAs } },
  };
}

/** By day nothing is acted on: they are told as what the next hibernation will take down, or no longer. */
export function workloadsAddedByDay(workloads: readonly string[], when: Occasion): Announcement {
  const audit = entry('workload-added', workloads, when);
  const text = `Goes to sleep with the cluster from now on: ${workloads.join(', ')}`;
  return ofEntry(audit, { notice: card(audit, 'resourceAdded', 'Resource Added', text) });
}

export function workloadsRemovedByDay(workloads: readonly string[], when: Occasion): Announcement {
  const text = `No longer goes to sleep with the cluster: ${workloads.join(', ')}`;
  return removed('workload-removed', text, workloads, when);
}

/** The records had lost what the workloads' own marks still knew. */
export function recordsRebuilt(workloads: readonly string[], when: Occasion): Announcement {
  const audit = entry('records-rebuilt', workloads, when);
  const message = 'Records were lost and are rebuilt from the annotations';
  return ofEntry(audit, {
    notice: mismatch('records-rebuilt', `${message}: ${workloads.join(', ')}`, when.at),
    log: { level: 'warn', message, fields: { workloads } },
  });
}

/** The record and the mark of workloads that are about to come up name two counts. */
export function recordsDisagree(workloads: readonly string[], when: Occasion): Announcement {
  const audit = entry('records-disagree', workloads, when);
  const text = `The record and the annotation disagree; the annotation counts: ${workloads.join(', ')}`;
  return ofEntry(audit, { notice: mismatch('records-disagree-on-wake', text, when.at) });
}

/** Alerts of one subject are sent once within the deduplication window: the id names it before the instant. */
function mismatch(subject: string, text: string, at: EpochMs): Notice {
  return card({ id: `${subject}-${at}`, at }, 'stateMismatch', 'State Mismatch', text);
}

function removed(kind: AuditKind, text: string, workloads: readonly string[], when: Occasion): Announcement {
  const audit = entry(kind, workloads, when);
  return ofEntry(audit, { notice: card(audit, 'resourceRemoved', 'Resource Removed', text) });
}

function entry(kind: AuditKind, workloads: readonly string[], { at, occasion }: Occasion) {
  return auditEntry({ id: `${kind}-${at}-${occasion}`, at, kind, actor: 'controller', details: { workloads } });
}

function card(
  { id, at }: Pick<Notice, 'id' | 'at'>,
  key: 'resourceAdded' | 'resourceRemoved' | 'stateMismatch',
  title: string,
  text: string,
): Notice {
  return { id, key, at, title, color: 'amber', text };
}
