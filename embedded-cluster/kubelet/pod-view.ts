import type { Container, PodSpec, PodStatus } from 'kubernetes-types/core/v1.js';
import type { EpochMs } from '../ports/clock.ts';

/** What the life of a pod depends on: any pod object that was read from a cluster has it. */
export interface PodView {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

/** Why a container waits. */
export interface Waiting {
  readonly reason: string;
  readonly message?: string;
}

/** An event that the kubelet reports about the pod. */
export interface PodEvent {
  readonly at: EpochMs;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly container?: string;
}

/** Takes the events of the span that the caller has not heard of; the text is composed only when it is wanted. */
export class EventSpan {
  readonly events: PodEvent[] = [];
  readonly #after: EpochMs;
  readonly #until: EpochMs;

  constructor(after: EpochMs, until: EpochMs) {
    this.#after = after;
    this.#until = until;
  }

  // biome-ignore lint/complexity/useMaxParams: a line of the events, in the order in which kubectl shows it.
  note(at: EpochMs, type: PodEvent['type'], reason: string, container: string | undefined, text: () => string): void {
    if (at <= this.#after || at > this.#until) return;
    this.events.push({ at, type, reason, message: text(), ...(container === undefined ? {} : { container }) });
  }
}

/** The budget of a start-up probe in milliseconds; undefined when the container declares none. */
export function startupBudget(container: Container): number | undefined {
  const probe = container.startupProbe;
  if (probe === undefined) return undefined;
  return ((probe.initialDelaySeconds ?? 0) + (probe.failureThreshold ?? 3) * (probe.periodSeconds ?? 10)) * 1000;
}

/** The earlier of two instants, where undefined is never. */
export function earliest(a: EpochMs | undefined, b: EpochMs | undefined): EpochMs | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}
