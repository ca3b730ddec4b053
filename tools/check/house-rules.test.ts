import { describe, expect, it } from 'vitest';
import { controllerShape } from './controller-shape.ts';
import { doubleCasts } from './double-casts.ts';
import { fileCircles } from './file-circles.ts';
import { crowdedFolders } from './folder-size.ts';
import { layerViolations } from './layers.ts';
import { machineTimeViolations } from './machine-time.ts';
import { optionalMethods, optionalPorts, secondAskers } from './one-answer.ts';
import { optionalParts } from './optional-parts.ts';
import { roomCircles } from './room-circles.ts';

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
      'src/api/outlook/outlook.ts',
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
    [
      'nor choose between waking and sleeping itself',
      'src/api/schedule/forecast.ts',
      `import { type Choice, choose } from '../../domain/desired/choice.ts';`,
      1,
    ],
    [
      'nor where the cluster is',
      'src/controller/pass/measure.ts',
      `import { clusterState } from '../../domain/cluster-state.ts';`,
      1,
    ],
    [
      'nor whether a satellite is wanted',
      'src/api/satellites/redirects.ts',
      `import { wantsSatellite } from '../../domain/redirect/backing.ts';`,
      1,
    ],
    ['nor take the whole file', 'src/cli/x.ts', `import * as choice from '../domain/desired/choice.ts';`, 1],
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
    expect(optionalPorts('src/api/call/ports.ts', source)).toEqual([
      {
        file: 'src/api/call/ports.ts',
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

describe('no method of an interface may be left out', () => {
  const source = 'export interface Companion {\n  sleep(): void;\n  /** Maybe. */\n  plan?(context: Step): Plan;\n}\n';

  it('names it, and what to do instead', () => {
    expect(optionalMethods('src/controller/beside/companion.ts', source)).toEqual([
      {
        file: 'src/controller/beside/companion.ts',
        line: 4,
        message: 'plan may be left out; require it, and answer that there is nothing to do where that is so',
      },
    ]);
  });

  it('leaves alone what a terminal may not have', () => {
    expect(optionalMethods('src/cli/command.ts', source)).toEqual([]);
  });
});

describe('no part that acts may be left out', () => {
  const declared = {
    'src/ports/notifier.ts':
      'export interface Notifier {\n  tell(): void;\n}\nexport interface Notice {\n  readonly text: string;\n}\n',
    'src/adapters/cloud.ts':
      'export class Cloud {}\nexport class CloudError extends Error {}\nexport type Open = (a: A) => B;\n',
  };
  const messages = (text: string) =>
    optionalParts(
      Object.entries({ ...declared, 'src/controller/upkeep/x.ts': text }).map(([path, one]) => ({ path, text: one })),
    ).map(({ message }) => message.split(';')[0]);
  const importing = "import type { Notice, Notifier } from '../../ports/notifier.ts';\n";
  const cloud = "import { type Cloud, CloudError, type Open } from '../../adapters/cloud.ts';\n";

  const rows: Record<string, [string, string[]]> = {
    'whatever the interface is called': [
      `${importing}interface DependencyOptions {\n  readonly notifier?: Notifier;\n}\n`,
      ['notifier may be left out, and Notifier acts'],
    ],
    'as a parameter': [`${cloud}function run(a: string, cloud?: Cloud) {}`, ['cloud may be left out, and Cloud acts']],
    'as a function that opens it': [
      `${cloud}interface A {\n  readonly open?: (\n    a: string,\n  ) => Promise<Cloud>;\n}\n`,
      ['open may be left out, and Cloud acts'],
    ],
    'as a function by its type': [
      `${cloud}interface A {\n  open?: Open;\n}\n`,
      ['open may be left out, and Open acts'],
    ],
    'of the same file': [
      'export interface Own {\n  act(): void;\n}\nfunction run({ own }: { readonly own?: Own }) {}',
      ['own may be left out, and Own acts'],
    ],
    'but data may, and an error': [`${importing}${cloud}interface A {\n  a?: Notice;\n  b?: CloudError;\n}\n`, []],
    'and so may what only has its name': ["interface A {\n  a?: import('x').Y;\n  b?: Cloud;\n}\n", []],
    'and an undefined that is passed': [`${cloud}interface A {\n  a: Cloud | undefined;\n}\n`, []],
  };
  it.each(Object.entries(rows))('%s', (_name, [text, expected]) => {
    expect(messages(text)).toEqual(expected);
  });
});

describe('circles of files', () => {
  const circles = (files: Readonly<Record<string, string>>) =>
    fileCircles(Object.entries(files).map(([path, text]) => ({ path, text }))).map(({ message }) => message);

  it('are told once, with everyone in them', () => {
    expect(
      circles({
        'src/a.ts': `import { b } from './b.ts';`,
        'src/b.ts': `import { c } from './deep/c.ts';`,
        'src/deep/c.ts': `import { a } from '../a.ts';`,
        'src/outside.ts': `import { a } from './a.ts';`,
      }),
    ).toEqual(['imports itself in a circle of src/a.ts, src/b.ts, src/deep/c.ts']);
  });
  it('are found where types alone go round', () => {
    expect(
      circles({ 'src/a.ts': `import type { B } from './b.ts';`, 'src/b.ts': `export type { A } from './a.ts';` }),
    ).toEqual(['imports itself in a circle of src/a.ts, src/b.ts']);
  });
  it('are none where two ways lead to one file', () => {
    const files = { 'src/a.ts': `import './b.ts';\nimport './c.ts';`, 'src/b.ts': `import './c.ts';`, 'src/c.ts': '' };
    expect(circles(files)).toEqual([]);
  });
});

describe('folders that import each other', () => {
  const circles = (files: Record<string, string>) =>
    roomCircles(Object.entries(files).map(([path, text]) => ({ path, text })));

  it('are told once, at the first import that goes round, though no file is in a circle', () => {
    expect(
      circles({
        'src/x/a/one.ts': `import { t } from '../b/three.ts';`,
        'src/x/a/two.ts': `export const u = 1;`,
        'src/x/b/three.ts': `export const t = 1;`,
        'src/x/b/four.ts': `\nimport type { U } from '../a/two.ts';`,
      }),
    ).toEqual([{ file: 'src/x/a/one.ts', line: 1, message: 'opens a circle of folders: src/x/a, src/x/b' }]);
  });
  it('are told over a third folder', () => {
    expect(
      circles({
        'src/a/a.ts': `import '../b/b.ts';`,
        'src/b/b.ts': `import '../c/c.ts';`,
        'src/c/c.ts': `import '../a/other.ts';`,
      }).map(({ message }) => message),
    ).toEqual(['opens a circle of folders: src/a, src/b, src/c']);
  });
  it('are a parent and its child too', () => {
    const files = { 'src/a/top.ts': `import './deep/d.ts';`, 'src/a/deep/d.ts': `import '../ports.ts';` };
    expect(circles(files).map(({ message }) => message)).toEqual(['opens a circle of folders: src/a, src/a/deep']);
  });
  it('may do so in one direction, and a test in both', () => {
    const oneWay = { 'src/a/top.ts': `import './deep/d.ts';`, 'src/a/deep/d.ts': `import './e.ts';` };
    expect(circles({ ...oneWay, 'src/a/deep/d.test.ts': `import '../top.ts';` })).toEqual([]);
  });
});

describe('a cast that switches the compiler off', () => {
  const rows: [string, string, number[]][] = [
    ['without a word', 'const a = b as unknown as C;', [1]],
    ['through never', 'x();\nconst a = b as never as C;', [2]],
    ['to never', 'use(b as never);', [1]],
    ['to never, with its reason', '// Each client has its own type.\nuse(b as never);', []],
    ['in a sentence', 'it("was never seen");', []],
    ['over two lines', 'const a = b as unknown\n  as C;', [1]],
    ['with its reason above', '// The schema was checked a line before.\nconst a = b as unknown as C;', []],
    ['with its reason beside', 'const a = b as unknown as C; // Checked by the schema.', []],
    ['with a comment two lines above', '// About something else.\n\nconst a = b as unknown as C;', [3]],
    ['that a comment speaks of', '// never `as unknown as C`', []],
  ];
  it.each(rows)('%s', (_, text, lines) => {
    expect(doubleCasts({ path: 'src/x.ts', text }).map(({ line }) => line)).toEqual(lines);
  });
});

describe('a folder', () => {
  const sources = (folder: string, count: number, ending = '.ts') =>
    Array.from({ length: count }, (_, index) => `${folder}/f${index}${ending}`);

  it('of 26 sources is crowded, one of 25 is not', () => {
    expect(crowdedFolders([...sources('src/state', 26), ...sources('src/ports', 25)])).toEqual([
      { file: 'src/state', line: 1, message: 'holds 26 sources; more than 25 need folders named for what they hold' },
    ]);
  });
  it('is not crowded by its tests, nor by the folders in it', () => {
    expect(
      crowdedFolders([...sources('web/app', 25), ...sources('web/app', 25, '.test.tsx'), ...sources('web/app/x', 25)]),
    ).toEqual([]);
  });
  it('of tests of a suite may hold as many as it has', () => {
    expect(crowdedFolders(sources('test/cluster', 40))).toEqual([]);
  });
});

describe('the shape of the controller', () => {
  const gathers = { path: 'src/controller/pass/run-pass.ts', text: 'const cluster = gather(view, compiled);' };
  const twice = 'gather() is called in 2 places; a pass reads the cluster once, in pass/run-pass.ts';
  const past =
    'reads workloads past the snapshot of the pass; take them from the snapshot, or read the one with the writer';
  const loose = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `src/controller/x${index}.test.ts`, text: '' }));
  const rows: [string, { path: string; text: string }[], string[]][] = [
    ['one call of gather is right', [], []],
    [
      'a second call is named in both places',
      [{ path: 'src/controller/wake/x.ts', text: 'gather(view, compiled)' }],
      [twice, twice],
    ],
    ['a test may gather', [{ path: 'src/controller/wake/x.test.ts', text: 'gather(view, compiled)' }], []],
    [
      'its definition is no call',
      [{ path: 'src/controller/pass/snapshot.ts', text: 'export function gather(view: View) {' }],
      [],
    ],
    [
      'one workload of the caches is past the snapshot',
      [{ path: 'src/controller/act/x.ts', text: 'ports.view.workload(record)' }],
      [past],
    ],
    ['so are all of them', [{ path: 'src/controller/act/x.ts', text: 'classifyWorkloads(view, compiled)' }], [past]],
    ['other processes have no passes', [{ path: 'src/api/x.ts', text: 'view.workloads()' }], []],
    ['a short controller is right', [{ path: 'src/controller/controller.ts', text: 'import a\n'.repeat(19) }], []],
    [
      'a crowded one is not',
      [{ path: 'src/controller/controller.ts', text: 'import a\n'.repeat(200) }],
      ['has 200 lines; the most is 199', 'has 200 imports; the most is 19'],
    ],
    ['twelve sources beside the rooms are right', loose(12), []],
    ['thirteen are not', loose(13), ['holds 13 sources beside its rooms, tests included; the most is 12']],
  ];
  it.each(rows)('%s', (_, planted, messages) => {
    expect(controllerShape([gathers, ...planted]).map(({ message }) => message)).toEqual(messages);
  });
  it('has to gather somewhere', () => {
    expect(controllerShape([])).toHaveLength(1);
  });
});
