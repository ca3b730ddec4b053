import { eventKeys, eventKinds } from '../../../src/domain/notification/event-keys.ts';
import type { SentCard } from './evidence.ts';

/** One sentence for each event that no process was seen to send. */
export function cardProblems(cards: readonly SentCard[], keys: readonly string[] = eventKeys): readonly string[] {
  const sent = new Set<string>(cards.map(({ key }) => key));
  return keys.filter((key) => !sent.has(key)).map((key) => `${key}: no process was seen to send it`);
}

export function cardTable(cards: readonly SentCard[]): string {
  const how = new Map(cards.map((card) => [card.key, card.how]));
  const rows = eventKeys.map(
    (key) => `| \`${key}\` | ${eventKinds[key].priority} | ${how.get(key) ?? 'not shown yet'} |`,
  );
  return `| Event | Priority | Sent after |\n|---|---|---|\n${rows.join('\n')}\n`;
}
