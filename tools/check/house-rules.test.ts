import { describe, expect, it } from 'vitest';
import { layerViolations } from './layers.ts';
import { machineTimeViolations } from './machine-time.ts';
import { optionalPorts, secondAskers } from './one-answer.ts';

describe('the import direction', () => {
  const rows: [string, string, string, string[]][] = [
    [
      'domain may not import an adapter',
      'src/domain/wake/advance.ts',
      `import { x } from '../../adapters/kubernetes/client.ts';`,
      ['src/domain may not import src/adapters; it may import nothing of ours'],
    ],
    [
      'domain may not import node:*',
      'src/domain/address/address.ts',
      `import { createHash } from 'node:crypto';`,
      ['src/domain imports node:crypto; it runs in a browser too and imports no node:*'],
    ],
    ['domain may import domain', 'src/domain/wake/advance.ts', `import type { W } from '../workload.ts';`, []],
    [
      'a process entry point picks adapters',
      'src/controller/main.ts',
      `import { c } from '../adapters/kubernetes/c.ts';`,
      [],
    ],
    [
      'another file of a process does not',
      'src/controller/pass.ts',
      `import { c } from '../adapters/kubernetes/c.ts';`,
      [
        'src/controller may not import src/adapters; it may import src/domain, src/contract, src/config, src/state, src/ports, src/platform, src/service',
      ],
    ],
    [
      'a process may not import another',
      'src/api/routes.ts',
      `import { pass } from '../controller/pass.ts';`,
      [
        'src/api may not import src/controller; it may import src/domain, src/contract, src/config, src/state, src/ports, src/platform, src/service',
      ],
    ],
    [
      'a dynamic import counts',
      'src/domain/x.ts',
      `const m = await import('../platform/y.ts');`,
      ['src/domain may not import src/platform; it may import nothing of ours'],
    ],
    [
      'an export from counts',
      'src/config/x.ts',
      `export { y } from '../api/y.ts';`,
      ['src/config may not import src/api; it may import src/domain'],
    ],
    [
      'an import over several lines counts',
      'src/domain/x.ts',
      `import {\n  a,\n  type B,\n} from '../state/y.ts';`,
      ['src/domain may not import src/state; it may import nothing of ours'],
    ],
    ['a test may import anything', 'src/domain/x.test.ts', `import { a } from '../adapters/y.ts';`, []],
  ];
  it.each(rows)('%s', (_, file, source, messages) => {
    expect(layerViolations(file, source).map((violation) => violation.message)).toEqual(messages);
  });
});

describe('time and chance come through ports', () => {
  const rows: [string, string, string, number][] = [
    ['Date.now() in domain', 'src/domain/x.ts', 'const t = Date.now();', 1],
    ['new Date() in the controller', 'src/controller/x.ts', 'const t = new Date();', 1],
    ['new Date(ms) is only a conversion', 'src/domain/x.ts', 'const t = new Date(ms);', 0],
    ['a timer in the embedded cluster', 'embedded-cluster/x.ts', 'setTimeout(run, 5);', 1],
    ['a method of that name on something else', 'embedded-cluster/x.ts', 'clock.setTimeout(run, 5);', 0],
    ['Math.random() in the api', 'src/api/x.ts', 'Math.random()', 1],
    ['the platform is where it belongs', 'src/platform/x.ts', 'Date.now()', 0],
    ['an entry point may', 'src/api/main.ts', 'Date.now()', 0],
    ['a comment does not count', 'src/domain/x.ts', '// never Date.now()\n/* nor Math.random() */', 0],
  ];
  it.each(rows)('%s', (_, file, source, count) => {
    expect(machineTimeViolations(file, source)).toHaveLength(count);
  });
});

describe('one question has one place that asks it', () => {
  const rows: [string, string, string, number][] = [
    [
      'the api may not assemble what the cluster should be',
      'src/api/status/outlook.ts',
      `import { type DesiredState, desiredState } from '../../domain/desired/desired-state.ts';`,
      1,
    ],
    [
      'it may use the type',
      'src/api/x.ts',
      `import type { DesiredState } from '../domain/desired/desired-state.ts';`,
      0,
    ],
    [
      'the service may',
      'src/service/desired.ts',
      `import { desiredState } from '../domain/desired/desired-state.ts';`,
      0,
    ],
    [
      'nobody compiles a schedule of his own',
      'src/cli/x.ts',
      `import { compileSchedule } from '../domain/schedule/compile.ts';`,
      1,
    ],
    ['a test may', 'src/api/x.test.ts', `import { compileSchedule } from '../domain/schedule/compile.ts';`, 0],
  ];
  it.each(rows)('%s', (_, file, source, count) => {
    expect(secondAskers(file, source)).toHaveLength(count);
  });
});

describe('no port may be left out', () => {
  it('names the port, and what to do instead', () => {
    const source =
      'export interface ApiPorts {\n  readonly clock: Clock;\n  /** Days off. */\n  readonly holidays?: Holidays;\n}\n';
    expect(optionalPorts('src/api/ports.ts', source)).toEqual([
      {
        file: 'src/api/ports.ts',
        line: 4,
        message: 'ApiPorts.holidays may be left out; require it, with an Off that says why',
      },
    ]);
  });

  it('finds a method too, and lets settings have their defaults', () => {
    const options = (member: string) => `export interface ControllerOptions extends A {\n  ${member}\n}\n`;
    expect(optionalPorts('src/controller/main.ts', options('features?(base: B): C;'))).toHaveLength(1);
    expect(optionalPorts('src/controller/main.ts', options('readonly requestTimeoutMs?: number;'))).toEqual([]);
    expect(optionalPorts('src/controller/main.ts', options('readonly frames: FrameSink | Off;'))).toEqual([]);
  });
});
