import { describe, expect, it } from 'vitest';
import { parseWanted, usage } from './arguments.ts';

const byDefault = { workloads: 1000, runs: 3, killAt: 50, patienceMs: 60_000, json: false, other: undefined };
const both = ['--down', 'a', '--up', 'b'];

describe('what is measured', () => {
  it.each([
    ['ours and the plain loop', [], byDefault],
    ['nobody killed', ['--kill-at', '0'], { ...byDefault, killAt: undefined }],
    [
      'another tool that is asked when it starts',
      both,
      { ...byDefault, other: { name: 'other', down: 'a', up: 'b', ready: 'true', keep: false } },
    ],
    [
      'another tool with all that can be said of it',
      [
        ...both,
        '--ready',
        'c',
        '--keep',
        '--name',
        'x',
        '--workloads',
        '20',
        '--runs',
        '1',
        '--patience',
        '5',
        '--json',
      ],
      {
        workloads: 20,
        runs: 1,
        killAt: 50,
        patienceMs: 5_000,
        json: true,
        other: { name: 'x', down: 'a', up: 'b', ready: 'c', keep: true },
      },
    ],
    ['nothing, but how to ask', ['--help'], 'help'],
  ])('is %s', (_, args, wanted) => {
    expect(parseWanted(args)).toEqual(wanted);
  });

  it.each([
    [['--down', 'a'], 'Another tool needs both --down and --up.'],
    [['--up', 'a'], 'Another tool needs both --down and --up.'],
    [['--ready', 'a'], '--ready and --keep are for another tool: give --down and --up too.'],
    [['--workloads', '9'], '--workloads is "9"; it must be a whole number from 10 to 100000.'],
    [['--runs', ''], '--runs is ""; it must be a whole number from 1 to 100.'],
    [['--kill-at', '100'], '--kill-at is "100"; it must be a whole number from 0 to 99.'],
  ])('is not %j', (args, message) => {
    expect(() => parseWanted(args)).toThrow(message);
  });

  it('is told flag by flag', () => {
    const flags = 'workloads runs kill-at patience json down up ready keep name'.split(' ');
    expect(flags.filter((flag) => !usage.includes(`\n  --${flag} `))).toEqual([]);
  });
});
