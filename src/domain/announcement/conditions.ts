import type { LicenseCheck } from '../license/check.ts';
import type { Notice } from '../notification/notice.ts';
import type { EpochMs } from '../workload.ts';

// Condition alerts: states that hold, as people read of them. A condition is no act, so it has no audit entry and waits in
// no outbox: whoever sees it says on every look whether it holds, also after a restart.

/** `bytes` is absent when there is room again. */
export function stateNearlyFull(bytes: number | undefined, most: number, at: EpochMs): Notice {
  const text = bytes === undefined ? undefined : `The state holds ${bytes} bytes; Kubernetes takes at most ${most}.`;
  return alert({ key: 'stateSize', id: 'state-size', title: 'State ConfigMap Nearly Full' }, text, at);
}

export function stateFull(problem: string, at: EpochMs): Notice {
  return alert({ key: 'stateSize', id: 'state-full', title: 'State ConfigMap Full' }, problem, at);
}

export function stateUndecodable(problem: string | undefined, at: EpochMs): Notice {
  return alert({ key: 'stateMismatch', id: 'state-undecodable', title: 'State Cannot Be Decoded' }, problem, at);
}

export function configurationRefused(problem: string | undefined, at: EpochMs): Notice {
  return alert({ key: 'configReloadFailed', id: 'config-reload', title: 'Configuration Reload Failed' }, problem, at);
}

export function scheduleUnreadable(problem: string | undefined, at: EpochMs): Notice {
  return alert({ key: 'scheduleUnparseable', id: 'working-hours', title: 'Schedule Cannot Be Read' }, problem, at);
}

export function workloadWillNotScale(workload: string, message: string, at: EpochMs): Notice {
  const text = `${workload}: svc could not scale it up: ${message}`;
  return alert(
    { key: 'workloadWillNotScale', id: `will-not-scale-${workload}`, title: 'Workload Will Not Scale' },
    text,
    at,
  );
}

export function databaseWillNotFollow(name: string, problem: string, at: EpochMs): Notice {
  const text = `Database ${name} ${problem}`;
  return alert(
    { key: 'workloadWillNotScale', id: `will-not-scale-database-${name}`, title: 'Database Will Not Follow' },
    text,
    at,
  );
}

/** Workloads whose owners changed their scale at the same time are one card. `workloads`: all that it began with. */
export function unexpectedReplicaChange(
  workloads: readonly string[],
  sentences: readonly string[],
  at: EpochMs,
): Notice {
  const more = workloads.length > 1 ? `-and-${workloads.length - 1}-more` : '';
  const id = `replicas-changed-${workloads[0]}${more}`;
  const text = sentences.join('; ');
  return {
    ...alert({ key: 'unexpectedReplicaChange', id: id, title: 'Unexpected Replica Change' }, text, at),
    color: 'amber',
  };
}

/** While the workloads sleep there is time to set it right. */
export function recordsDisagreeing(workloads: readonly string[], at: EpochMs): Notice {
  const text = `The record and the annotation disagree; the annotation counts: ${workloads.join(', ')}`;
  return {
    ...alert({ key: 'stateMismatch', id: 'records-disagree', title: 'State Mismatch' }, text, at),
    color: 'amber',
  };
}

/** At zero by a mark that was written to another object: whoever copied it, or restored it from a backup, has to say what it needs. */
export function marksOfOthers(workloads: readonly string[], at: EpochMs): Notice {
  const text = `At zero with a mark that was written to another object (a copy, or a backup of the night), and not raised: ${workloads.join(', ')}`;
  return {
    ...alert({ key: 'stateMismatch', id: 'marks-of-others', title: 'State Mismatch' }, text, at),
    color: 'amber',
  };
}

/** Down by us, and raised to no guess: whoever knows the count sets the record right, or raises the workload. */
export function recordsImplausible(workloads: readonly string[], at: EpochMs): Notice {
  const text = `Recorded with a count that no workload has, and not raised: ${workloads.join(', ')}`;
  return alert({ key: 'stateMismatch', id: 'records-implausible', title: 'State Mismatch' }, text, at);
}

export function hostDoesNotWake(cluster: string, trouble: string | undefined, at: EpochMs): Notice {
  const id = `external-dependency-${cluster}`;
  const facts = [{ name: 'Cluster', value: cluster }];
  const title = 'Hosting Cluster Does Not Wake';
  return {
    ...alert({ key: 'externalDependencyUnreachable', id: id, title: title }, trouble, at),
    color: 'amber',
    facts,
  };
}

const licenseTitles = {
  licenseExpiring: 'License Expires Soon',
  licenseUnverified: 'License Check Failing',
  licenseNotActing: 'Not Scaling: License',
} as const;

export function licenseTrouble(key: keyof typeof licenseTitles, { reason }: LicenseCheck, at: EpochMs): Notice {
  return { ...alert({ key: key, id: key, title: licenseTitles[key] }, reason, at), color: 'amber' };
}

function alert(named: Pick<Notice, 'key' | 'id' | 'title'>, text: string | undefined, at: EpochMs): Notice {
  return { ...named, at, color: 'red', ...(text === undefined ? {} : { text }) };
}
