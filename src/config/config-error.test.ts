import { describe, expect, it } from 'vitest';
import { formatConfigErrors, pathText } from './config-error.ts';

describe('pathText', () => {
  const rows: Record<string, [segments: (string | number)[], text: string]> = {
    'the document itself': [[], ''],
    'keys joined by points': [['workingHours', 'schedule', 'monday'], 'workingHours.schedule.monday'],
    'entries in brackets': [
      ['targeting', 'namespaces', 'exclude', 1, 'exact'],
      'targeting.namespaces.exclude[1].exact',
    ],
    'odd keys in quotes': [['labels', 'app.kubernetes.io/name'], 'labels["app.kubernetes.io/name"]'],
    'a key with a line break on one line': [['a\nb'], '["a\\nb"]'],
  };
  it.each(Object.entries(rows))('writes %s', (_name, [segments, text]) => {
    expect(pathText(segments)).toBe(text);
  });
});

describe('formatConfigErrors', () => {
  const error = { path: 'smtp.port', message: 'must be from 1 to 65535, not 0' };
  const position = { line: 3, column: 8 };

  it('writes a single error on the same line', () => {
    expect(formatConfigErrors([error])).toBe('smtp.port: must be from 1 to 65535, not 0');
  });

  it('writes the place in the text where it is known', () => {
    expect(formatConfigErrors([{ ...error, position }])).toBe(
      'smtp.port (line 3, column 8): must be from 1 to 65535, not 0',
    );
    expect(formatConfigErrors([{ path: '', message: 'odd', position }])).toBe('line 3, column 8: odd');
  });

  it('counts several and gives each a line', () => {
    expect(formatConfigErrors([error, { path: '', message: 'odd' }])).toBe(
      '2 errors\n  smtp.port: must be from 1 to 65535, not 0\n  odd',
    );
  });
});
