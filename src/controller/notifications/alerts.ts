import { type ConfigRefusal, formatConfigErrors } from '../../config/config.ts';
import {
  configurationRefused,
  scheduleUnreadable,
  stateNearlyFull,
  stateUndecodable,
} from '../../domain/announcement/conditions.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { sizeLevel, stateSizeLimits } from '../../state/size.ts';

// Conditions of the service itself. Each is said on every look, holding or not, and told once it has held long enough.

/** Above the thresholds of the alerts of the same name. */
export function setStateSizeCondition(notifier: Notifier, bytes: number, at: EpochMs): void {
  const large = sizeLevel(bytes) === 'normal' ? undefined : bytes;
  notifier.condition(stateNearlyFull(large, stateSizeLimits.hard, at), large !== undefined);
}

/** What the decoder said of each key; what stands on it waits while it holds. */
export function setUndecodableCondition(notifier: Notifier, problems: readonly string[], at: EpochMs): void {
  const problem = problems.length === 0 ? undefined : problems.join(' ');
  notifier.condition(stateUndecodable(problem, at), problem !== undefined);
}

/** Working hours that cannot be read have a name of their own; a key that is only called like them has not. */
export function setConfigRefusalCondition(notifier: Notifier, refusal: ConfigRefusal | undefined, at: EpochMs): void {
  notifier.condition(configurationRefused(refusal?.message, at), refusal !== undefined);
  const errors = refusal?.errors.filter(({ path }) => /^workingHours(?![\w-])/.test(path)) ?? [];
  const schedule = errors.length === 0 ? undefined : formatConfigErrors(errors);
  notifier.condition(scheduleUnreadable(schedule, at), schedule !== undefined);
}
