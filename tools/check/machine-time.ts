import { isTest, type Violation } from './violation.ts';

/** What asks the machine for time or chance. Inside, both come through `src/ports`, or nothing could be simulated. */
const machine = [
  { pattern: /\bDate\.now\(/g, name: 'Date.now()' },
  { pattern: /\bnew Date\(\s*\)/g, name: 'new Date()' },
  { pattern: /\bperformance\.now\(/g, name: 'performance.now()' },
  { pattern: /\bTemporal\.Now\b/g, name: 'Temporal.Now' },
  { pattern: /(?<![.\w])set(?:Timeout|Interval|Immediate)\(/g, name: 'a timer' },
  { pattern: /\bMath\.random\(/g, name: 'Math.random()' },
] as const;

/** The satellite's page carries its script as text: it runs where the machine's own timers are all there is. */
const runsInBrowser = (file: string) => file === 'src/satellite/page-script.ts';

const mayAsk = (file: string) =>
  /^src\/(platform|adapters|cli)\//.test(file) ||
  /\/main(-[a-z]+)?\.ts$/.test(file) ||
  file.startsWith('embedded-cluster/time/') ||
  !/^(?:src|embedded-cluster)\//.test(file) ||
  isTest(file) ||
  runsInBrowser(file);

export function machineTimeViolations(file: string, source: string): Violation[] {
  if (mayAsk(file)) return [];
  const code = withoutComments(source);
  return machine.flatMap(({ pattern, name }) =>
    [...code.matchAll(pattern)].map((match) => ({
      file,
      line: code.slice(0, match.index).split('\n').length,
      message: `${name} outside src/platform, src/adapters and main.ts; take it through src/ports`,
    })),
  );
}

/** Comments blanked out, line numbers kept. Strings stay: a string that spells a call is rarer than a comment. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));
}
