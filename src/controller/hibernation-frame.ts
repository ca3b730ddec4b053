import type { TierDecision } from '../domain/hibernate/decide-tier.ts';
import type { Tier } from '../domain/ordering/ordering.ts';
import { type Workload, workloadKey } from '../domain/workload.ts';
import type { Hibernation } from './transition.ts';

interface TierProgress {
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'released';
  readonly startedAt?: number;
  readonly workloads: number;
}

/** A running hibernation for the screen: which tier it has reached, and what that tier still waits for. */
export function hibernationFrame(
  { id, startedAt, trigger, payload }: Hibernation,
  remaining: readonly Tier<Workload>[],
  decision: TierDecision,
) {
  const done: TierProgress[] = payload.tiersDone.map((name) => ({ name, state: 'released', workloads: 0 }));
  const open = remaining.map((tier, index): TierProgress => {
    const running = index === 0;
    return {
      name: tier.name,
      state: running ? 'running' : 'waiting',
      ...(running ? { startedAt: payload.tierStartedAt } : {}),
      workloads: tier.members.length,
    };
  });
  return {
    kind: 'hibernation',
    trigger,
    progress: {
      id,
      startedAt,
      tiers: [...done, ...open],
      toLower: decision.lower.length + decision.suspend.length + decision.record.length,
      draining: decision.draining.map(workloadKey),
      failed: payload.failed,
    },
  };
}
