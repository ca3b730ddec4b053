import type { AnswerOf } from '../../contract/operations.ts';
import type { LicenseCheck } from '../../domain/license/check.ts';
import { licenseChip } from '../../domain/license/chip.ts';
import type { ManualHibernation } from '../../state/intents/manual-hibernation.ts';
import type { WakeOverride } from '../../state/intents/wake-override.ts';
import type { Transition } from '../../state/transition.ts';
import { hostsIn } from '../../state/wake-payload.ts';

// Values of the inside as the contract writes them.

type Status = AnswerOf<'hibernationStatus'>;

export function instant(at: number): string {
  return new Date(at).toISOString();
}

/** A field that is left out when there is no instant. */
export function instantField<K extends string>(name: K, at: number | undefined): { [P in K]?: string } {
  return at === undefined ? {} : ({ [name]: instant(at) } as { [P in K]?: string });
}

export function wireOverride({ until, by, at }: WakeOverride): NonNullable<Status['wakeOverride']> {
  return { until: instant(until), by, at: instant(at) };
}

export function wireManual({ by, at, until }: ManualHibernation): NonNullable<Status['manualHibernation']> {
  return { by, at: instant(at), ...instantField('until', until) };
}

export function wireTransition(transition: Transition<unknown> | null): Status['transition'] {
  if (transition === null) return null;
  const { kind, id, startedAt, trigger, payload } = transition;
  const hosts = hostsIn(payload).map(({ until, ...host }) => ({ ...host, until: instant(until) }));
  return {
    kind,
    id,
    startedAt: instant(startedAt),
    actor: trigger.actor,
    cause: trigger.cause,
    ...(hosts.length === 0 ? {} : { hosts }),
  };
}

export function wireLicense(check: LicenseCheck): Status['license'] {
  return { verdict: check.verdict, acts: check.acts, chip: licenseChip(check) ?? null };
}
