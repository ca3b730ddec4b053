import type { EpochMs } from '../../ports/clock.ts';

interface OffsetSpan {
  /** Local time minus UTC, in milliseconds. */
  readonly offset: number;
  /** The instant at which the offset changes next. */
  readonly until: EpochMs;
}

export interface ZoneOffsets {
  at(instant: EpochMs): OffsetSpan;
}

const always: OffsetSpan = { offset: 0, until: Number.POSITIVE_INFINITY };

/** The offsets of a time zone; asking for neighbouring instants costs one look-up a year or so. */
export function zoneOffsets(timeZone: string): ZoneOffsets {
  if (timeZone === 'UTC' || timeZone === 'Etc/UTC') return { at: () => always };
  let from = Number.POSITIVE_INFINITY;
  let span = always;
  checkZone(timeZone);
  return {
    at: (instant) => {
      if (instant >= from && instant < span.until) return span;
      const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
      const next = local.getTimeZoneTransition('next');
      from = instant;
      const until = next === null ? Number.POSITIVE_INFINITY : next.epochMilliseconds;
      span = { offset: local.offsetNanoseconds / 1e6, until };
      return span;
    },
  };
}

function checkZone(timeZone: string): void {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
  } catch {
    throw new Error(`time zone "${timeZone}" is not known; write one such as Europe/Berlin.`);
  }
}
