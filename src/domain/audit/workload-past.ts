import type { AuditEntry } from './entry.ts';

/** The end of one transition, and what it said of a workload. */
export interface PastTransition {
  readonly entry: AuditEntry;
  readonly kind: 'wake' | 'hibernation';
  /** `not_named`: it was no casualty, if it was part of the transition at all; entries name casualties alone. */
  readonly verdict: 'failed' | 'recovered' | 'still_starting' | 'not_named';
  readonly sentence?: string;
}

const kinds: Readonly<Record<string, PastTransition['kind']>> = {
  wake: 'wake',
  'wake-failed': 'wake',
  hibernation: 'hibernation',
  'hibernation-failed': 'hibernation',
};

/** The last ends of transitions that the workload may have been part of, newest first. `key`: `Deployment shop/cart`. */
export function pastOf(entries: readonly AuditEntry[], key: string, most: number): readonly PastTransition[] {
  return entries
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .flatMap((entry) => {
      const kind = Object.hasOwn(kinds, entry.kind) ? kinds[entry.kind] : undefined;
      return kind === undefined || !mayConcern(entry, key) ? [] : [{ entry, kind, ...said(entry, key) }];
    })
    .slice(0, most);
}

/** One of named resources is no part of the past of the others. */
function mayConcern({ details }: AuditEntry, key: string): boolean {
  const named = details?.['resources'];
  if (!Array.isArray(named)) return true;
  return named.some((text: string) => text === key || key.endsWith(` ${text}`) || text.includes('*'));
}

function said(entry: AuditEntry, key: string): Pick<PastTransition, 'verdict' | 'sentence'> {
  const { workloads_failed_detail: failed = [], workloads_recovered_detail: recovered = [], details } = entry;
  const lists = [
    ['failed', failed],
    ['recovered', recovered],
    ['still_starting', details?.['still_starting'] ?? []],
  ] as const;
  for (const [verdict, list] of lists) {
    const sentence = Array.isArray(list) ? list.find((text: string) => isOf(text, key)) : undefined;
    if (sentence !== undefined) return { verdict, sentence };
  }
  return { verdict: 'not_named' };
}

/** A sentence begins with the workload; `Deployment shop/cart-2` is another. */
function isOf(sentence: string, key: string): boolean {
  return sentence.startsWith(key) && /^(?:[\s:,]|$)/.test(sentence.slice(key.length));
}
