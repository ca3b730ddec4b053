import { auditEntry } from '../audit/entry.ts';
import type { StandDownChange, StandDownSource } from '../stops/stand-down-state.ts';
import type { EpochMs } from '../workload.ts';
import { type Announcement, ofEntry } from './announcement.ts';

/** What still keeps the service from scaling after a change. */
export interface StillHolding {
  readonly sources: readonly StandDownSource[];
  readonly licenseActs: boolean;
}

/** One source of a stand-down began or ended. */
export function standDownChanged(change: StandDownChange, holding: StillHolding): Announcement {
  return change.act === 'stood-down' ? stoodDown(change) : ended(change, holding);
}

function stoodDown({ id, at, actor, source, reason }: StandDownChange): Announcement {
  const because = reason === undefined ? '' : `: ${reason}`;
  const text = 'Everything that was scaled down is handed back, and nothing is scaled until the stand-down ends.';
  const given = reason === undefined ? {} : { reason };
  return ofEntry(auditEntry({ id, at, kind: 'stand-down', actor, ...given }), {
    event: {
      where: 'release',
      type: 'Warning',
      reason: 'StoodDown',
      message: `Stood down by ${actor}${because}. ${text}`,
    },
    notice: {
      id,
      at,
      color: 'red',
      key: 'standDown',
      title: `Stood Down by ${actor}`,
      text: reason === undefined ? text : `${reason}. ${text}`,
    },
    log: {
      level: 'info',
      message: 'Stood down: handing back what was scaled down, scaling nothing until it ends',
      fields: { source, actor, ...given },
    },
  });
}

function ended({ id, at, actor, source }: StandDownChange, holding: StillHolding): Announcement {
  const text = resumption(holding);
  const resumes = holding.sources.length === 0 && holding.licenseActs;
  return ofEntry(auditEntry({ id, at, kind: 'stand-down-ended', actor }), {
    event: {
      where: 'release',
      type: 'Normal',
      reason: 'StandDownEnded',
      message: `Stand-down ended by ${actor}. ${text}`,
    },
    notice: { id, at, color: 'blue', key: 'standDown', title: `Stand-down Ended by ${actor}`, text },
    log: { level: 'info', message: 'Stand-down ended', fields: { source, actor, scalingResumes: resumes } },
  });
}

export const finishedLine = 'Handback finished: everything that was scaled down is back';

/** Everything that was scaled down is back; the wake that did it has announcements of its own. */
export function handbackFinished(at: EpochMs): Announcement {
  return { id: `handback-finished-${at}`, at, log: { level: 'info', message: finishedLine, fields: {} } };
}

function resumption({ sources, licenseActs }: StillHolding): string {
  const holders = [
    ...(sources.includes('admin') ? ["an admin's stand-down still holds"] : []),
    ...(sources.includes('configuration') ? ['the configuration still holds a stand-down'] : []),
    ...(licenseActs ? [] : ['the license does not let the service act']),
  ];
  return holders.length === 0 ? 'Scaling resumes.' : `Scaling does not resume: ${holders.join(', and ')}.`;
}
