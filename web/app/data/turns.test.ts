import { describe, expect, it } from 'vitest';
import type { AuditEntry } from './queries.ts';
import { readTurns } from './turns.ts';

const now = Date.parse('2026-11-03T11:00:00Z');
const hour = 3_600_000;
const entry = (kind: string, hoursAgo: number, details?: AuditEntry['details']): AuditEntry => ({
  id: `${kind}-${hoursAgo}`,
  at: new Date(now - hoursAgo * hour).toISOString(),
  kind,
  title: kind,
  actor: 'schedule',
  ...(details === undefined ? {} : { details }),
});

/** A log of pages with one entry each, and what was asked of it. */
async function read(log: readonly AuditEntry[]) {
  const asked: (string | undefined)[] = [];
  const entries = await readTurns(async ({ kind, after }) => {
    asked.push(after);
    const rest = log.filter((one) => kind.split(',').includes(one.kind)).slice(Number(after ?? 0));
    const next = Number(after ?? 0) + 1;
    return { entries: rest.slice(0, 1), ...(rest.length > 1 ? { next: String(next) } : {}) };
  }, now);
  return { asked, ids: entries.map(({ id }) => id) };
}

describe('the turns of the cluster', () => {
  it('are found behind any number of other entries', async () => {
    const others = Array.from({ length: 300 }, (_, index) => entry('replicas-changed-by-owner', index));
    expect((await read([...others, entry('wake-failed', 400)])).ids).toEqual(['wake-failed-400']);
  });

  it('reach back to what was when the week that is drawn began', async () => {
    const log = [1, 100, 191, 193, 300].map((ago) => entry('wake', ago));
    expect((await read(log)).ids).toEqual(['wake-1', 'wake-100', 'wake-191', 'wake-193']);
  });

  it('reach back to the last transition of the whole cluster, however long ago', async () => {
    const part = { resources: ['shop/cart'] };
    const log = [entry('wake', 1, part), entry('wake', 300, part), entry('wake-failed', 400), entry('wake', 500)];
    const { ids, asked } = await read(log);
    expect(ids).toEqual(['wake-1', 'wake-300', 'wake-failed-400']);
    expect(asked).toEqual([undefined, '1', '2']);
  });

  it('are all there are in a young log', async () => {
    expect((await read([entry('wake', 1)])).ids).toEqual(['wake-1']);
    expect((await read([])).ids).toEqual([]);
  });
});
