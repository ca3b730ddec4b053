import { describe, expect, it } from 'vitest';
import { changedSettings, findSettings, groupSettings, groupTitle, settingText } from './grouping.ts';

const setting = (path: string, source = 'default', description = '', value: unknown = 1) => ({
  path,
  value,
  source,
  description,
});

describe('settings', () => {
  const all = [
    setting('clusterName', 'configured', '', 'payments'),
    setting('operations.dryRun', 'configured', 'Log decisions, change nothing.'),
    setting('operations.logLevel'),
  ];
  const found = (text: string) => findSettings(all, text).map(({ path }) => path);

  it('are grouped by their first word, with how many somebody has set', () => {
    expect(groupSettings(all).map(({ name, items, changed }) => [name, items.length, changed])).toEqual([
      ['general', 1, 1],
      ['operations', 2, 1],
    ]);
    expect(changedSettings(all).map(({ path }) => path)).toEqual(['clusterName', 'operations.dryRun']);
  });

  it('are found by path, by description and by value', () => {
    expect(found('loglevel')).toEqual(['operations.logLevel']);
    expect(found('nothing CHANGE')).toEqual(['operations.dryRun']);
    expect(found('payments')).toEqual(['clusterName']);
    expect(found('nothing of the kind')).toEqual([]);
    expect(found(' ')).toHaveLength(3);
  });

  const rows: [unknown, string][] = [
    ['', '(empty)'],
    [[], '(none)'],
    [{}, '(none)'],
    [false, 'false'],
    ['5m', '5m'],
    [['a', 'b'], 'a\nb'],
    [[{ a: 1 }], '[\n  {\n    "a": 1\n  }\n]'],
  ];
  it.each(rows)('%j is shown as %j', (value, text) => {
    expect(settingText(value)).toBe(text);
  });

  it('have sections with names that people read', () => {
    expect(['workingHours', 'databases', 'urlReadinessCheck', 'dashboardApi'].map(groupTitle)).toEqual([
      'Working hours',
      'Databases',
      'URL readiness check',
      'Dashboard API',
    ]);
  });
});
