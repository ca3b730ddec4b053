import type { Notice } from '../../domain/notification/notice.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { sizeLevel, stateSizeLimits } from '../../state/size.ts';
import { setAsideKey } from '../../state/snapshot.ts';

// Conditions of the service itself. Each is said on every look, holding or not, and told once it has held long enough.

/** Above the thresholds of the alerts of the same name. */
export function sayStateSize(notifier: Notifier, bytes: number, at: EpochMs): void {
  const level = sizeLevel(bytes);
  const words = `The state holds ${bytes} bytes; Kubernetes takes at most ${stateSizeLimits.hard}.`;
  say(notifier, 'stateSize', 'state-size', 'State ConfigMap Nearly Full', level === 'normal' ? undefined : words, at);
}

/** What the decoder said of each key; what stands on it waits while it holds. */
export function sayStateUndecodable(notifier: Notifier, problems: readonly string[], at: EpochMs): void {
  const text = problems.length === 0 ? undefined : problems.join(' ');
  say(notifier, 'stateMismatch', 'state-undecodable', 'State Cannot Be Decoded', text, at);
}

/** A running transition could not be decoded and was moved out of the way of a wake. */
export function tellSetAside(notifier: Notifier, problem: string, at: EpochMs): void {
  const text = `${problem} It was set aside as ${setAsideKey}, and everything recorded comes up without it.`;
  notifier.notify({
    id: `transition-set-aside-${at}`,
    key: 'stateMismatch',
    at,
    title: 'State Mismatch',
    colour: 'amber',
    text,
  });
}

/** The records had lost what the workloads' own marks still knew. */
export function tellRecordsRebuilt(notifier: Notifier, workloads: readonly string[], at: EpochMs): void {
  const text = `Records were lost and are rebuilt from the annotations: ${workloads.join(', ')}`;
  notifier.notify({
    id: `records-rebuilt-${at}`,
    key: 'stateMismatch',
    at,
    title: 'State Mismatch',
    colour: 'amber',
    text,
  });
}

/** `refusal` is why the newest configuration is not in force. Working hours that cannot be read have a name of their own. */
export function sayConfigRefusal(notifier: Notifier, refusal: string | undefined, at: EpochMs): void {
  const schedule = refusal?.includes('workingHours') === true ? refusal : undefined;
  say(notifier, 'configReloadFailed', 'config-reload', 'Configuration Reload Failed', refusal, at);
  say(notifier, 'scheduleUnparseable', 'working-hours', 'Schedule Cannot Be Read', schedule, at);
}

// biome-ignore lint/complexity/useMaxParams: until every announcement has one shape.
function say(
  notifier: Notifier,
  key: Notice['key'],
  id: string,
  title: string,
  trouble: string | undefined,
  at: EpochMs,
): void {
  const text = trouble === undefined ? {} : { text: trouble };
  notifier.condition({ id, key, at, title, colour: 'red', ...text }, trouble !== undefined);
}
