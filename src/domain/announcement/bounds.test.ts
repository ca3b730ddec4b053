import { describe, expect, it } from 'vitest';
import { auditEntry } from '../audit/entry.ts';
import { type Announcement, ofEntry } from './announcement.ts';
import { bounded, mostBytes, mostWaiting, withAnnouncements } from './bounds.ts';

const entry = (id: string, reason = '') =>
  ofEntry(auditEntry({ id, at: 0, kind: 'catch-up', actor: 'controller', reason }));
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** A wake in which the cluster refused every workload with its own long words. */
function lostWake(workloads: number, messageLength: number): Announcement {
  const casualties = Array.from(
    { length: workloads },
    (_, index) => `Deployment shop/w${index} ${'é'.repeat(messageLength)}`,
  );
  const audit = auditEntry({
    id: 'wake-1',
    at: 0,
    kind: 'wake-failed',
    actor: 'schedule',
    workloads_failed_detail: casualties,
    details: { still_starting: casualties },
  });
  const notice = { id: 'wake-1', key: 'wakeFailed', at: 0, title: 'Wake Failed', color: 'red', casualties } as const;
  return ofEntry(audit, { notice });
}

describe('what is stored of an announcement', () => {
  it('is all of it while it is short', () => {
    const one = entry('a', 'because');
    expect(bounded(one)).toBe(one);
  });

  it('keeps every sentence of a long list that fits, and cuts only sentences that are long', () => {
    const { audit } = bounded(lostWake(20, 600));
    expect(audit?.workloads_failed_detail).toHaveLength(20);
    expect(audit?.workloads_failed_detail?.[0]).toMatch(/^Deployment shop\/w0 é+…$/);
    expect(audit?.workloads_failed_detail?.[0]).toHaveLength(400);
  });

  it('says how many are missing where a list does not fit', () => {
    const stored = bounded(lostWake(5_000, 100));
    const kept = stored.notice!.casualties!;
    expect(kept.at(-1)).toBe(`and ${5_000 - (kept.length - 1)} more`);
    expect(kept.length).toBeGreaterThan(40);
    expect(bytes(stored)).toBeLessThan(60_000);
  });
});

describe('what waits', () => {
  it('holds an id once', () => {
    const { waiting } = withAnnouncements([entry('a')], [entry('a'), entry('b'), entry('b')]);
    expect(waiting.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('is so many at most, and the oldest give way', () => {
    const all = Array.from({ length: mostWaiting + 3 }, (_, index) => entry(`${index}`));
    const { waiting, dropped } = withAnnouncements(all.slice(0, 100), all.slice(100));
    expect([waiting.length, dropped.map(({ id }) => id)]).toEqual([mostWaiting, ['0', '1', '2']]);
  });

  it('is so large at most, and never without the newest', () => {
    let waiting: readonly Announcement[] = [];
    const lost = lostWake(1_000, 100);
    for (let index = 0; index < 10; index++) {
      waiting = withAnnouncements(waiting, [{ ...lost, id: `wake-${index}` }]).waiting;
      expect(bytes(waiting)).toBeLessThan(mostBytes + 1_000);
      expect(waiting.at(-1)?.id).toBe(`wake-${index}`);
    }
  });
});
