import type { TierProgress, WakeProgress, WorkloadProgress } from '../../../src/domain/wake/progress.ts';

export type { TierProgress, WakeProgress, WorkloadProgress };

/** What the stream tells of a running wake or hibernation. */
export interface TransitionFrame {
  readonly kind: 'wake' | 'hibernation';
  readonly trigger: { readonly actor: string; readonly cause: string };
  readonly progress: WakeProgress;
}

/** A frame of a controller that is newer or older than this app is left out rather than shown half. */
export function readTransition(payload: unknown): TransitionFrame | undefined {
  const frame = fields(payload);
  const progress = fields(frame?.['progress']);
  const trigger = fields(frame?.['trigger']);
  if (frame === undefined || progress === undefined || !Array.isArray(progress['tiers'])) return undefined;
  const known = frame['kind'] === 'wake' || frame['kind'] === 'hibernation';
  const counted = typeof progress['up'] === 'number' && typeof progress['total'] === 'number';
  if (!known || !counted || !progress['tiers'].every(isTier)) return undefined;
  return {
    ...(frame as unknown as TransitionFrame),
    trigger: { actor: text(trigger, 'actor'), cause: text(trigger, 'cause') },
  };
}

function isTier(value: unknown): value is TierProgress {
  const tier = fields(value);
  return tier !== undefined && typeof tier['name'] === 'string' && Array.isArray(tier['workloads']);
}

function fields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function text(from: Readonly<Record<string, unknown>> | undefined, name: string): string {
  const value = from?.[name];
  return typeof value === 'string' ? value : '';
}
