import { type PrivacySettings, shownAddress } from '../address/privacy.ts';
import { cutRecoveries } from '../wake/verdict/recovery.ts';
import type { EpochMs } from '../workload.ts';
import { type EventKey, type EventPriority, eventKinds } from './event-keys.ts';
import type { Notice } from './notice.ts';

/** Where and when a message speaks from. */
export interface MessagePlace {
  readonly clusterName: string;
  /** The web app, linked from every message. */
  readonly url: string;
  readonly timezone: string;
  readonly privacy: PrivacySettings;
}

export interface MessageSection {
  readonly heading: 'Failed' | 'Recovered';
  readonly lines: readonly string[];
}

/** A notice as people read it: clean text, recoveries cut, casualties whole. Every channel renders exactly this. */
export interface Message {
  readonly id: string;
  readonly key: EventKey;
  readonly priority: EventPriority;
  readonly at: EpochMs;
  /** The time of the notice as text, with its time zone. */
  readonly when: string;
  readonly cluster: string;
  readonly url: string;
  readonly title: string;
  readonly color: Notice['color'];
  readonly text?: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly sections: readonly MessageSection[];
  /** All of them, for programs. */
  readonly allRecoveries: readonly string[];
}

export function messageOf(notice: Notice, place: MessagePlace): Message {
  const shown = (text: string) => shownText(text, place.privacy);
  const failed = (notice.casualties ?? []).map(shown);
  const recovered = (notice.recoveries ?? []).map(shown);
  const sections: MessageSection[] = [];
  if (failed.length > 0) sections.push({ heading: 'Failed', lines: failed });
  if (recovered.length > 0) sections.push({ heading: 'Recovered', lines: cutRecoveries(recovered) });
  return {
    id: notice.id,
    key: notice.key,
    priority: notice.alsoHigh === true ? 'high' : eventKinds[notice.key].priority,
    at: notice.at,
    when: zonedTime(notice.at, place.timezone),
    cluster: cleanText(place.clusterName),
    url: place.url,
    title: shown(notice.title),
    color: notice.color,
    ...(notice.text === undefined ? {} : { text: shown(notice.text) }),
    facts: (notice.facts ?? []).map(({ name, value }) => ({ name: shown(name), value: shown(value) })),
    sections,
    allRecoveries: recovered,
  };
}

/** As it may be shown to people. */
export function shownText(text: string, privacy: PrivacySettings): string {
  return withoutAddresses(cleanText(text), privacy);
}

const longestText = 2_000;

/**
 * Names, reasons and messages come from whoever may write them: no control characters, no line breaks, nothing that
 * turns the reading direction around, and an end to it.
 */
export function cleanText(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .trim();
  if (plain.length <= longestText) return plain;
  return `${[...plain.slice(0, longestText)].slice(0, -1).join('')}…`;
}

/** Notices are composed without addresses already; this is the last check before a message leaves the service. */
function withoutAddresses(text: string, privacy: PrivacySettings): string {
  return text.replace(/[^\s<>()",;:]+@[^\s<>()",;:]+/g, (address) => shownAddress(address, privacy));
}

function zonedTime(at: EpochMs, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return `${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })} (${timezone})`;
}
