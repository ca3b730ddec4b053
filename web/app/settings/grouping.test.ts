import { describe, expect, it } from 'vitest';
import { groupSettings, settingText } from './grouping.ts';

const setting = (path: string, source = 'default', description = '') => ({ path, value: 1, source, description });

describe('settings', () => {
  const all = [
    setting('clusterName', 'configured'),
    setting('operations.dryRun', 'default', 'Log decisions, change nothing.'),
    setting('operations.logLevel'),
  ];
  const paths = (text: string, source = '') =>
    groupSettings(all, text, source).map(({ name, items }) => [name, items.length]);

  it('are grouped by their first word', () => {
    expect(paths('')).toEqual([
      ['clusterName', 1],
      ['operations', 2],
    ]);
  });

  it('are found by path, by description and by source', () => {
    expect(paths('loglevel')).toEqual([['operations', 1]]);
    expect(paths('change nothing')).toEqual([['operations', 1]]);
    expect(paths('', 'configured')).toEqual([['clusterName', 1]]);
    expect(paths('nothing of the kind')).toEqual([]);
  });

  const rows: [unknown, string][] = [
    ['', '(empty)'],
    [[], '(none)'],
    [{}, '(none)'],
    [false, 'false'],
    ['5m', '5m'],
    [['a'], '[\n  "a"\n]'],
  ];
  it.each(rows)('%j is shown as %j', (value, text) => {
    expect(settingText(value)).toBe(text);
  });
});
