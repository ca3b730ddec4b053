import { describe, expect, it } from 'vitest';
import { findEntry, readNewest } from './log.ts';

const entry = (place: number) => ({
  id: `e-${place}`,
  at: '2026-11-03T11:00:00.000Z',
  kind: 'stand-down',
  title: 'Stood Down',
  actor: 'ada@example.com',
});

/** A log of so many entries that pages as the API does, and what was asked of it. */
function logOf(total: number) {
  const asked: string[] = [];
  const read = async ({ limit, after }: { readonly limit: number; readonly after?: string }) => {
    asked.push(`${limit} after ${after ?? 'nothing'}`);
    const first = Number(after ?? 0);
    const end = Math.min(total, first + limit);
    const entries = Array.from({ length: end - first }, (_, index) => entry(first + index));
    return { entries, total, unreadable: 0, ...(end < total ? { next: String(end) } : {}) };
  };
  return { asked, read };
}

describe('the newest of the log', () => {
  it('are as many as asked for, with how many there are', async () => {
    const { asked, read } = logOf(1000);
    const { entries, total } = await readNewest(read, 200);
    expect([entries.length, entries.at(-1)?.id, total]).toEqual([200, 'e-199', 1000]);
    expect(asked).toEqual(['200 after nothing']);
  });

  it('come by several answers where one does not hold them', async () => {
    const { asked, read } = logOf(5000);
    const { entries } = await readNewest(read, 2100);
    expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 2100 }, (_, place) => `e-${place}`));
    expect(asked).toEqual(['1000 after nothing', '1000 after 1000', '100 after 2000']);
  });

  it('are all there are in a young log', async () => {
    const { asked, read } = logOf(3);
    expect((await readNewest(read, 100)).entries.length).toBe(3);
    expect((await readNewest(logOf(0).read, 100)).entries).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});

describe('one entry', () => {
  it('is found behind any number of others', async () => {
    const { asked, read } = logOf(2500);
    expect((await findEntry(read, 'e-2400'))?.id).toBe('e-2400');
    expect(asked).toHaveLength(3);
  });

  it('is looked for no further than where it is', async () => {
    const { asked, read } = logOf(2500);
    expect((await findEntry(read, 'e-7'))?.id).toBe('e-7');
    expect(asked).toEqual(['1000 after nothing']);
  });

  it('is none where the log does not have it', async () => {
    expect(await findEntry(logOf(2500).read, 'e-9999')).toBe(null);
    expect(await findEntry(logOf(0).read, 'e-0')).toBe(null);
  });
});
