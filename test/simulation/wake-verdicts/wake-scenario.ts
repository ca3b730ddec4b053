import type { AuditEntry } from '../../../src/domain/audit/entry.ts';
import type { WorkloadParts } from '../../support/builders/manifests.ts';
import { minute, OfficeWorld } from '../office-world.ts';

/** One Deployment with that pod behaviour; `cart` unless it is named. */
export function cart(parts: Partial<WorkloadParts>): WorkloadParts {
  return { kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 1, ...parts };
}

/** Starts slowly and surely, and so keeps the wake open until then: its declared budget is 20 minutes. */
export function slow(seconds: number): WorkloadParts {
  return cart({
    name: 'slow',
    startupProbe: { periodSeconds: 10, failureThreshold: 120 },
    behaviour: { 'start-seconds': String(seconds) },
  });
}

export interface Woken {
  readonly world: OfficeWorld;
  readonly entry: AuditEntry;
}

/** A night and the wake after it; `restartAfter` seconds into the wake the controller is killed and started again. */
export async function wakeOf(
  workloads: readonly WorkloadParts[],
  config: Readonly<Record<string, unknown>> = {},
  restartAfter?: number,
): Promise<Woken> {
  const world = await new OfficeWorld({ workloads, config }).at(21);
  await world.at(32);
  if (restartAfter !== undefined) {
    await world.advance(restartAfter * 1_000);
    world.kill();
    await world.advance(3_000);
    world.start();
  }
  await world.advance(60 * minute);
  world.kill();
  world.cluster.stop();
  const entry = world.audit().find(({ kind }) => kind === 'wake' || kind === 'wake-failed');
  if (entry === undefined) throw new Error(`No wake ended: ${world.stateData()['transition']}`);
  return { world, entry };
}
