import type { HibernationProgress, HibernationTier } from '../../../src/domain/hibernate/progress.ts';
import type { CriticalPath, PathStep } from '../../../src/domain/wake/critical-path.ts';
import type { TierProgress, WakeProgress, WorkloadProgress } from '../../../src/domain/wake/progress.ts';

export type { HibernationProgress, HibernationTier, PathStep, TierProgress, WakeProgress, WorkloadProgress };

interface Trigger {
  readonly actor: string;
  readonly cause: string;
}

export interface WakeFrame {
  readonly kind: 'wake';
  readonly trigger: Trigger;
  readonly progress: WakeProgress;
  /** Resumed besides those that it waits for. */
  readonly cronJobs?: number;
  /** In the last frame alone. */
  readonly outcome?: { readonly title: string; readonly result: string; readonly criticalPath: CriticalPath };
}

export interface HibernationFrame {
  readonly kind: 'hibernation';
  readonly trigger: Trigger;
  readonly progress: HibernationProgress;
}

/** What the stream tells of a running wake or hibernation. */
export type TransitionFrame = WakeFrame | HibernationFrame;

/** The newest frame, and the last one of the transition before it. */
export interface ShownTransition {
  readonly frame: TransitionFrame;
  readonly before?: TransitionFrame;
}

/** A transition that takes over leaves the one before it to be told of; a hibernation that was stopped keeps its tiers. */
export function followed(shown: ShownTransition | null | undefined, frame: TransitionFrame): ShownTransition {
  if (shown === null || shown === undefined) return { frame };
  if (shown.frame.progress.id !== frame.progress.id) return { frame, before: shown.frame };
  return { ...shown, frame: withTiersOf(shown.frame, frame) };
}

function withTiersOf(known: TransitionFrame, frame: TransitionFrame): TransitionFrame {
  if (frame.kind !== 'hibernation' || known.kind !== 'hibernation' || frame.progress.tiers.length > 0) return frame;
  const { tiers, down, total } = known.progress;
  return { ...frame, progress: { ...frame.progress, tiers, down, total } };
}

/** A frame of a controller that is newer or older than this app is left out rather than shown half. */
export function readTransition(payload: unknown): TransitionFrame | undefined {
  const frame = fields(payload);
  const progress = fields(frame?.['progress']);
  const trigger = fields(frame?.['trigger']);
  const known =
    (frame?.['kind'] === 'wake' && isWake(progress)) || (frame?.['kind'] === 'hibernation' && isHibernation(progress));
  if (!known || typeof progress?.['id'] !== 'string') return undefined;
  return {
    // Its kind and progress were checked above; the trigger is read below.
    ...(frame as unknown as TransitionFrame),
    trigger: { actor: text(trigger, 'actor'), cause: text(trigger, 'cause') },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isWake(progress: Fields | undefined): boolean {
  return hasNumbers(progress, 'startedAt', 'up', 'total') && isListOf(progress?.['tiers'], isWakeTier);
}

function isHibernation(progress: Fields | undefined): boolean {
  const listed = ['draining', 'respected'].every((name) => Array.isArray(progress?.[name]));
  return (
    hasNumbers(progress, 'startedAt', 'down', 'total') &&
    listed &&
    fields(progress?.['failed']) !== undefined &&
    isListOf(progress?.['tiers'], isHibernationTier)
  );
}

function isWakeTier(value: unknown): boolean {
  const tier = fields(value);
  return typeof tier?.['name'] === 'string' && Array.isArray(tier['workloads']);
}

function isHibernationTier(value: unknown): boolean {
  const tier = fields(value);
  return typeof tier?.['name'] === 'string' && hasNumbers(tier, 'workloads', 'down');
}

function hasNumbers(from: Fields | undefined, ...names: readonly string[]): boolean {
  return names.every((name) => typeof from?.[name] === 'number');
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function fields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function text(from: Fields | undefined, name: string): string {
  const value = from?.[name];
  return typeof value === 'string' ? value : '';
}
