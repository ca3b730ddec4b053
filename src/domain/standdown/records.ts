import type { StandDownChange, StandDownSource } from './state.ts';

/** Everything that one change of a stand-down leaves behind, beside the state itself. */
export interface StandDownRecords {
  readonly audit: {
    readonly title: 'Stood Down' | 'Stand-down Ended';
    readonly kind: 'stand-down' | 'stand-down-ended';
    readonly actor: string;
    readonly reason?: string;
  };
  readonly event: {
    readonly where: 'release';
    readonly type: 'Warning' | 'Normal';
    readonly reason: 'StoodDown' | 'StandDownEnded';
    readonly message: string;
  };
  readonly card: { readonly key: 'standDown'; readonly title: string; readonly text: string };
  readonly log: { readonly message: string; readonly fields: Readonly<Record<string, string | boolean>> };
}

/** What still keeps the service from scaling after a change. */
export interface StillHolding {
  readonly sources: readonly StandDownSource[];
  readonly licenseActs: boolean;
}

export function recordsOf(change: StandDownChange, holding: StillHolding): StandDownRecords {
  return change.act === 'stood-down' ? stoodDown(change) : ended(change, holding);
}

function stoodDown({ actor, source, reason }: StandDownChange): StandDownRecords {
  const because = reason === undefined ? '' : `: ${reason}`;
  const text = 'Everything that was scaled down is handed back, and nothing is scaled until the stand-down ends.';
  const given = reason === undefined ? {} : { reason };
  return {
    audit: { title: 'Stood Down', kind: 'stand-down', actor, ...given },
    event: {
      where: 'release',
      type: 'Warning',
      reason: 'StoodDown',
      message: `Stood down by ${actor}${because}. ${text}`,
    },
    card: {
      key: 'standDown',
      title: `Stood Down by ${actor}`,
      text: reason === undefined ? text : `${reason}. ${text}`,
    },
    log: {
      message: 'Stood down: handing back what was scaled down, scaling nothing until it ends',
      fields: { source, actor, ...given },
    },
  };
}

function ended({ actor, source }: StandDownChange, holding: StillHolding): StandDownRecords {
  const text = resumption(holding);
  const resumes = holding.sources.length === 0 && holding.licenseActs;
  return {
    audit: { title: 'Stand-down Ended', kind: 'stand-down-ended', actor },
    event: {
      where: 'release',
      type: 'Normal',
      reason: 'StandDownEnded',
      message: `Stand-down ended by ${actor}. ${text}`,
    },
    card: { key: 'standDown', title: `Stand-down Ended by ${actor}`, text },
    log: { message: 'Stand-down ended', fields: { source, actor, scalingResumes: resumes } },
  };
}

function resumption({ sources, licenseActs }: StillHolding): string {
  const holders = [
    ...(sources.includes('admin') ? ["an admin's stand-down still holds"] : []),
    ...(sources.includes('configuration') ? ['the configuration still holds a stand-down'] : []),
    ...(licenseActs ? [] : ['the license does not let the service act']),
  ];
  return holders.length === 0 ? 'Scaling resumes.' : `Scaling does not resume: ${holders.join(', and ')}.`;
}
