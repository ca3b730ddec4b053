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

/**
 * A cause has one card: working hours that cannot be read have theirs, and all other errors share the other. A key that is
 * only called like the working hours is none of them.
 */
export function setConfigRefusalCondition(notifier: Notifier, refusal: ConfigRefusal | undefined, at: EpochMs): void {
  const hours = refusal?.errors.filter(isOfWorkingHours) ?? [];
  const others = refusal?.errors.filter((error) => !isOfWorkingHours(error)) ?? [];
  // A text that is no configuration at all has no errors to name.
  const reload = hours.length === 0 ? refusal?.message : textOf(others);
  notifier.condition(configurationRefused(reload, at), reload !== undefined);
  const schedule = textOf(hours);
  notifier.condition(scheduleUnreadable(schedule, at), schedule !== undefined);
}

function isOfWorkingHours({ path }: ConfigRefusal['errors'][number]): boolean {
  return /^workingHours(?![\w-])/.test(path);
}

function textOf(errors: ConfigRefusal['errors']): string | undefined {
  return errors.length === 0 ? undefined : formatConfigErrors(errors);
}
