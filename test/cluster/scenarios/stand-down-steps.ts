import { expect } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit/entry.ts';
import { auditOf, eventsOf, hours, postStandDown, summaryOf, untilHibernated } from './acts.ts';
import type { Stage } from './stage.ts';
import { createWorkloads, type WorkloadParts } from './workload-manifests.ts';

export interface Scenario {
  readonly name: string;
  play(stage: Stage): Promise<void>;
}

export const team: readonly WorkloadParts[] = [
  { name: 'web', replicas: 3 },
  { kind: 'StatefulSet', name: 'db', replicas: 2 },
  { kind: 'CronJob', name: 'report' },
];
export const up = { db: 2, report: 'running', web: 3 };
export const down = { db: 0, report: 'suspended', web: 0 };

/** Long enough for several passes: nothing of it may have happened after that. */
export const aWhileMs = 1_500;

export async function running(stage: Stage, workloads = team): Promise<void> {
  await createWorkloads(stage.client, stage.namespace, workloads);
  await stage.start();
}

export async function hibernated(stage: Stage, workloads = team): Promise<void> {
  await stage.configure(hours('off'));
  await running(stage, workloads);
  await untilHibernated(stage);
}

export async function stoodDown(stage: Stage, reason?: string): Promise<void> {
  expect(await postStandDown(stage, reason)).toBeUndefined();
  await untilHandedBack(stage);
}

export function untilHandedBack(stage: Stage): Promise<true> {
  return stage.until('the handback is finished', async () => (await summaryOf(stage))?.handbackDone);
}

export function untilEvent(stage: Stage, reason: string, count = 1) {
  return stage.until(`there are ${count} events ${reason}`, async () => {
    const found = (await eventsOf(stage)).filter((event) => event.reason === reason);
    return found.length >= count && found;
  });
}

/** The entry of a hibernation that came right after a stand-down. */
export function untilHibernatedBy(stage: Stage): Promise<AuditEntry> {
  return stage.until('the hibernation after the stand-down is recorded', async () =>
    (await auditOf(stage)).find(
      ({ title, trigger }) => title === 'Hibernation Complete' && trigger === 'stand-down ended',
    ),
  );
}

export function untilAudit(stage: Stage, kind: string): Promise<AuditEntry> {
  return stage.until(`there is an audit entry ${kind}`, async () =>
    (await auditOf(stage)).find((entry) => entry.kind === kind),
  );
}

/** What the audit log says once it has an entry of the kind: it is written beside what it tells of, not before. */
export async function titles(stage: Stage, kind: string): Promise<readonly string[]> {
  await untilAudit(stage, kind);
  return (await auditOf(stage)).map(({ title, actor }) => `${title}: ${actor}`);
}

export function said(stage: Stage, message: string): number {
  return stage.logs.filter(({ msg }) => msg.startsWith(message)).length;
}
