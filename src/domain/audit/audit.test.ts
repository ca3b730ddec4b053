import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditFile, auditFileLimit, planAppend } from './append.ts';
import { auditCsv } from './csv.ts';
import { type AuditEntry, auditEntry } from './entry.ts';
import { filterAudit } from './query.ts';
import { entryLine, readEntries } from './stored-entry.ts';

const at = Date.parse('2026-11-13T19:00:00Z');
const entry = (id: string, parts: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at,
  kind: 'wake',
  title: 'Wake Complete',
  actor: 'schedule',
  ...parts,
});

describe('an entry', () => {
  it('is titled for its act, or as the act asks', () => {
    expect(auditEntry({ id: 'e', at, kind: 'stand-down', actor: 'ada' }).title).toBe('Stood Down');
    expect(auditEntry({ id: 'e', at, kind: 'stand-down-ended', actor: 'ada' }).title).toBe('Stand-down Ended');
    expect(auditEntry({ id: 'e', at, kind: 'wake-no-changes', actor: 'ada' }).title).toBe('Wake Made No Changes');
    const failed = auditEntry({ id: 'e', at, kind: 'wake', title: 'Wake Complete - 2 workloads failed', actor: 'ada' });
    expect(failed.title).toBe('Wake Complete - 2 workloads failed');
  });

  it('is one line of JSON', () => {
    expect(entryLine(entry('e', { reason: 'a\nb', durationMs: 5 }))).toBe(
      '{"id":"e","at":"2026-11-13T19:00:00.000Z","kind":"wake","title":"Wake Complete","actor":"schedule","reason":"a\\nb","durationMs":5}',
    );
  });

  it('of an old release keeps its retired fields, and one text where a list is now', () => {
    const old =
      '{"id":"o","at":"2025-01-01T00:00:00Z","title":"Wake Failed","actor":"ada","result":"failed",' +
      '"workloads_not_ready":2,"workloads_not_ready_detail":["shop/a","shop/b"],"workloads_recovered_detail":"came up","future":{"x":1}}';
    expect(readEntries([old])).toEqual({
      entries: [
        {
          id: 'o',
          at: Date.parse('2025-01-01T00:00:00Z'),
          kind: 'unknown',
          title: 'Wake Failed',
          actor: 'ada',
          result: 'failed',
          workloads_recovered_detail: ['came up'],
          details: { workloads_not_ready: 2, workloads_not_ready_detail: ['shop/a', 'shop/b'] },
        },
      ],
      unreadable: 0,
    });
  });

  it('that somebody spoiled costs no other entry', () => {
    const text = `${entryLine(entry('a'))}\n{"id":\n[]\n{"id":"x"}\n\n${entryLine(entry('b'))}\n`;
    const read = readEntries([text]);
    expect(read.entries.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(read.unreadable).toBe(3);
  });

  it('of any content comes back as it was', () => {
    const texts = fc.array(fc.string(), { maxLength: 3 });
    const any = fc.record(
      {
        id: fc.uuid(),
        at: fc.integer({ min: 0, max: 4e12 }),
        kind: fc.string(),
        title: fc.string(),
        actor: fc.string(),
        reason: fc.string(),
        trigger: fc.string(),
        result: fc.constantFrom('failed' as const, 'incomplete' as const, 'success' as const),
        completeness: fc.constantFrom('complete' as const, 'incomplete' as const),
        workloads_failed_detail: texts,
        workloads_recovered: fc.nat(),
        workloads_recovered_detail: texts,
        durationMs: fc.nat(),
      },
      { requiredKeys: ['id', 'at', 'kind', 'title', 'actor'] },
    );
    fc.assert(
      fc.property(any, (value) => {
        expect(readEntries([entryLine(value)])).toEqual({ entries: [value], unreadable: 0 });
      }),
    );
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readEntries([text])));
  });
});

describe('appending', () => {
  const apply = (files: readonly AuditFile[], appended: AuditEntry): AuditFile[] => {
    const plan = planAppend(files, appended);
    const byNumber = new Map(files.map((file) => [file.number, file]));
    for (const write of plan.writes) byNumber.set(write.number, write);
    for (const number of plan.drops) byNumber.delete(number);
    return [...byNumber.values()].toSorted((a, b) => a.number - b.number);
  };
  const line = (id: string) => `${entryLine(entry(id))}\n`;

  it('begins with file 0', () => {
    expect(planAppend([], entry('a'))).toEqual({ writes: [{ number: 0, text: line('a') }], drops: [] });
  });
  it('goes to the end of the newest file, whatever the order they were listed in', () => {
    const files = [
      { number: 10, text: line('a') },
      { number: 9, text: line('z') },
    ];
    expect(planAppend(files, entry('b'))).toEqual({ writes: [{ number: 10, text: line('a') + line('b') }], drops: [] });
  });
  it('plans nothing for an entry that is there', () => {
    expect(planAppend([{ number: 3, text: line('a') + line('b') }], entry('a'))).toEqual({ writes: [], drops: [] });
  });
  it('fills a file to its limit and not a byte further', () => {
    const room = auditFileLimit - line('b').length;
    const full = { number: 0, text: `${'x'.repeat(room - 1)}\n` };
    expect(planAppend([full], entry('b')).writes.map(({ number }) => number)).toEqual([0]);
    const over = { number: 0, text: `${'x'.repeat(room)}\n` };
    expect(planAppend([over], entry('b')).writes).toEqual([{ number: 1, text: line('b') }]);
  });
  it('drops the oldest past eight files', () => {
    const files = Array.from({ length: 8 }, (_, number) => ({ number, text: `${'x'.repeat(auditFileLimit - 1)}\n` }));
    const plan = planAppend(files, entry('b'));
    expect(plan.writes.map(({ number }) => number)).toEqual([8]);
    expect(plan.drops).toEqual([0]);
  });
  it('keeps every sentence of an entry that is longer than a file, in files within the limit', () => {
    const failed = Array.from(
      { length: 8_000 },
      (_, index) => `shop/workload-${index} was still Unschedulable after 15 minutes`,
    );
    const recovered = Array.from(
      { length: 3_000 },
      (_, index) => `shop/other-${index} came up after the service stopped waiting`,
    );
    const long = entry('long', {
      result: 'failed',
      workloads_failed_detail: failed,
      workloads_recovered: 3_000,
      workloads_recovered_detail: recovered,
    });
    const files = apply(apply([], entry('first')), long);
    expect(files.length).toBeGreaterThan(1);
    const encoder = new TextEncoder();
    for (const { text } of files) expect(encoder.encode(text).length).toBeLessThanOrEqual(auditFileLimit);
    expect(readEntries(files.map(({ text }) => text))).toEqual({ entries: [entry('first'), long], unreadable: 0 });
    expect(planAppend(files, long)).toEqual({ writes: [], drops: [] });
  });
});

describe('looking for entries', () => {
  const entries = [
    entry('a', { at, actor: 'Ada@example.com', kind: 'stand-down', reason: 'Release' }),
    entry('b', { at: at + 1, result: 'failed', workloads_failed_detail: ['shop/cart could not be read'] }),
    entry('c', { at: at + 1, result: 'success', details: { cluster: 'edge' } }),
    entry('d', { at: at + 2, actor: 'bob@example.com' }),
  ];
  const rows: Record<string, [Omit<Parameters<typeof filterAudit>[1], 'limit'>, string]> = {
    'all, newest first': [{}, 'dcba'],
    'from a time on, and before another': [{ from: at + 1, to: at + 2 }, 'cb'],
    'of a kind': [{ kinds: ['stand-down'] }, 'a'],
    'of any of several kinds': [{ kinds: ['stand-down', 'wake'] }, 'dcba'],
    'of kinds that are nowhere': [{ kinds: ['hibernation', ''] }, ''],
    'of a result': [{ result: 'failed' }, 'b'],
    'of an actor, in any case': [{ actor: 'ADA@' }, 'a'],
    'with a text in the reason': [{ text: 'release' }, 'a'],
    'with a text in the casualties': [{ text: 'shop/cart' }, 'b'],
    'with a text in the details': [{ text: 'EDGE' }, 'c'],
    'with a text that is nowhere': [{ text: 'nowhere' }, ''],
  };
  for (const [name, [query, ids]] of Object.entries(rows)) {
    it(name, () => {
      expect(
        filterAudit(entries, { ...query, limit: 10 })
          .entries.map(({ id }) => id)
          .join(''),
      ).toBe(ids);
    });
  }

  it('gives every entry exactly once over the pages, also when new ones arrive between', () => {
    const first = filterAudit(entries, { limit: 2 });
    expect(first.entries.map(({ id }) => id)).toEqual(['d', 'c']);
    const more = [...entries, entry('e', { at: at + 9 })];
    const second = filterAudit(more, { limit: 2, after: first.next ?? '' });
    expect(second.entries.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(second.next).toBeUndefined();
  });

  it('says on every page how many fit, and not how many are left', () => {
    const first = filterAudit(entries, { limit: 1, from: at + 1 });
    expect([first.total, first.entries.length]).toEqual([3, 1]);
    expect(filterAudit(entries, { limit: 1, from: at + 1, after: first.next ?? '' }).total).toBe(3);
  });
});

describe('the table for spreadsheets', () => {
  it('has a header and a record an entry', () => {
    const csv = auditCsv([
      entry('a', { durationMs: 1500, workloads_failed_detail: ['x "y"', 'z, w'], details: { n: 1 } }),
    ]);
    expect(csv).toBe(
      'id,at,kind,title,actor,trigger,reason,result,completeness,duration_seconds,workloads_failed_detail,' +
        'workloads_recovered,workloads_recovered_detail,details\r\n' +
        'a,2026-11-13T19:00:00.000Z,wake,Wake Complete,schedule,,,,,1.5,"x ""y""\nz, w",,,"{""n"":1}"\r\n',
    );
  });

  const formulas: Record<string, string> = {
    '=1+1': `"'=1+1"`,
    '+1': `"'+1"`,
    '-1': `"'-1"`,
    '@SUM(A1)': `"'@SUM(A1)"`,
    ' =1': `"' =1"`,
    '\t=1': `"'\t=1"`,
    '\r=1': `"\r'=1"`,
    'ok\n=1': `"ok\n'=1"`,
    '＝1': `"'＝1"`,
    '\u200b=1': `"'\u200b=1"`,
    'a=1': 'a=1',
    "o'neil": `"o'neil"`,
  };
  for (const [text, safe] of Object.entries(formulas)) {
    it(`writes ${JSON.stringify(text)} as ${JSON.stringify(safe)}`, () => {
      expect(auditCsv([entry('a', { reason: text })]).split('\r\na,')[1]).toContain(`schedule,,${safe},`);
    });
  }
});
