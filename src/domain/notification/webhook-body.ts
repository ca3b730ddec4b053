import type { Message } from './message.ts';

/** What a program gets: the same words, whole lists, stable names. */
export function webhookBody(message: Message): Readonly<Record<string, unknown>> {
  const { id, key, priority, at, cluster, title, color, text, facts, sections, allRecoveries, url } = message;
  return {
    version: 1,
    id,
    event: key,
    priority,
    at: new Date(at).toISOString(),
    cluster,
    title,
    color,
    ...(text === undefined ? {} : { text }),
    facts,
    failed: sections.find(({ heading }) => heading === 'Failed')?.lines ?? [],
    recovered: allRecoveries,
    url,
  };
}
