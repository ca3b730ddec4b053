import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { unusedMembers } from './unused-members.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A small program: a service with holidays, a controller that gets ports, an api with passkeys. */
const program: Readonly<Record<string, string>> = {
  'tools/check/product.tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'esnext', module: 'nodenext', strict: true, noEmit: true, types: [] },
    include: ['../../src'],
    exclude: ['../../**/*.test.ts'],
  }),
  'src/service/holiday-source.ts': `
export class HolidaySource {
  days(): string[] { return []; }
}
`,
  'src/controller/pass/ports.ts': `
import type { HolidaySource } from '../service/holiday-source.ts';
export interface ControllerPorts {
  readonly holidays: HolidaySource;
  readonly clock: { now(): number };
}
`,
  'src/controller/main.ts': `
import type { ControllerPorts } from './ports.ts';
interface Step extends Pick<ControllerPorts, 'clock'> { readonly pass: number }
function run({ clock, pass }: Step): number { return clock.now() + pass; }
export function start(ports: ControllerPorts): number { return run({ ...ports, pass: ports.holidays.days().length }); }
`,
  'src/api/main.ts': `
interface User { readonly shown: string }
interface ApiPorts { readonly passkeys: Map<string, string>; user(): User }
export function serve(ports: ApiPorts): string { return ports.passkeys.get(ports.user().shown) ?? ''; }
`,
};

function found(planted: Readonly<Record<string, string>> = {}, exempt = new Map<string, string>()): string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-members-')));
  folders.push(folder);
  for (const [path, text] of Object.entries({ ...program, ...planted })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return unusedMembers(folder, exempt).map(({ file, line, message }) => `${file}:${line} ${message}`);
}

const more = (path: string, from: string, to: string) => ({ [path]: program[path]!.replace(from, to) });
const message = (member: string) => `${member} is read by no program: use it, or take it away`;

describe('members that no program reads', () => {
  it('there are none where each is read, by its own type or the one it goes on under', () => {
    expect(found()).toEqual([]);
  });

  const plants: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    [
      'a method without a caller, though another type has one of its name',
      more('src/service/holiday-source.ts', 'days()', 'shown(): string[] { return []; }\n  days()'),
      `src/service/holiday-source.ts:3 ${message('HolidaySource.shown')}`,
    ],
    [
      'a port that this process does not read, though another has one of its name',
      more(
        'src/controller/pass/ports.ts',
        'readonly clock',
        'readonly passkeys: Map<string, string>;\n  readonly clock',
      ),
      `src/controller/pass/ports.ts:5 ${message('ControllerPorts.passkeys')}`,
    ],
    [
      'a port whose name and type another one has, in the same process',
      {
        ...more('src/controller/pass/ports.ts', 'readonly clock', 'log(line: string): void;\n  readonly clock'),
        'src/controller/notifier.ts': `
export interface Notifier { log(line: string): void; stop(): void }
export function tell(notifier: Notifier): void { notifier.log('done'); notifier.stop(); }
`,
      },
      `src/controller/pass/ports.ts:5 ${message('ControllerPorts.log')}`,
    ],
    [
      'an option that is only given',
      {
        'src/api/limits.ts': `
interface LimitOptions { readonly perMinute: number; readonly burst: number }
export const limits: LimitOptions = { perMinute: 1, burst: 2 };
export const sum = (options: LimitOptions): number => options.burst;
`,
      },
      `src/api/limits.ts:2 ${message('LimitOptions.perMinute')}`,
    ],
    [
      'a property that tests alone read',
      {
        'src/api/book.ts': 'export class Book {\n  readonly pages = 1;\n}\nexport const book = new Book();\n',
        'src/api/book.test.ts': `import { book } from './book.ts';\nbook.pages.toString();\n`,
      },
      `src/api/book.ts:2 ${message('Book.pages')}`,
    ],
  ];
  it.each(plants)(
    '%s',
    (_name, planted, told) => {
      expect(found(planted)).toEqual([told]);
    },
    60_000,
  );

  it('a member that is looked up by one of a few words, a table of types, and what a library asks for are read', () => {
    const source = `
interface Channels { readonly mail: string; readonly chat: string }
interface Events { readonly begun: string; readonly ended: number }
export class Refused extends Error { override readonly name = 'Refused'; }
export const said = (channels: Channels, which: 'mail' | 'chat'): string => channels[which];
export const tell = <K extends keyof Events>(event: K, payload: Events[K]): string => event + payload;
`;
    expect(found({ 'src/api/words.ts': source })).toEqual([]);
  });

  it('has exceptions, as long as they are needed', () => {
    const planted = { 'src/api/frame.ts': 'export interface Frame {\n  readonly sent: number;\n}\n' };
    expect(found(planted, new Map([['Frame', 'the web app']]))).toEqual([]);
    expect(found({}, new Map([['Frame', 'the web app']]))).toEqual([
      'tools/check/read-elsewhere.ts:1 Frame needs no exception any more',
    ]);
  });
});
