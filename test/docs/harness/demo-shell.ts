import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, bundles } from '../../../tools/build/bundle.ts';
import { provision } from '../../../tools/provision/provision.ts';
import type { RunnableBlock } from './runnable.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What the demo says once it is up. */
interface Places {
  readonly api: string;
  readonly inbox: string;
  readonly kubeconfig: string;
}

export interface BlockRun {
  readonly code: number;
  readonly out: string;
}

/** The demo, and a shell beside it in which `svc`, `kubectl` and `curl` reach it: what the reader of a page has. */
export class DemoShell {
  readonly #demo: ChildProcess;
  readonly #places: Places;
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(demo: ChildProcess, places: Places, home: string, env: NodeJS.ProcessEnv) {
    this.#demo = demo;
    this.#places = places;
    this.#home = home;
    this.#env = env;
  }

  static async start(): Promise<DemoShell> {
    const program = join(root, 'test/docs/harness/demo-entry.ts');
    const demo = spawn(process.execPath, [program], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const places = await untilReady(demo);
    const home = mkdtempSync(join(tmpdir(), 'svc-docs-'));
    await bundle({ cli: bundles.cli }, join(home, 'dist'));
    writeFileSync(join(home, 'svc'), svcScript(join(home, 'dist/cli.mjs')));
    chmodSync(join(home, 'svc'), 0o755);
    symlinkSync(await provision('kubectl'), join(home, 'kubectl'));
    return new DemoShell(demo, places, home, {
      PATH: `${home}${delimiter}${process.env['PATH']}`,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      KUBECONFIG: places.kubeconfig,
      SVC: places.api,
    });
  }

  /** Runs the blocks of a page one after the other in one shell, so that each has the variables of those before. */
  async run(blocks: readonly RunnableBlock[]): Promise<readonly BlockRun[]> {
    const mark = '--- end of a block: ';
    const script = blocks.map(({ script: text }) => `{\n${this.#here(text)}\n}\necho "${mark}$?"`).join('\n');
    const shell = spawn('bash', ['-c', script], { cwd: root, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    const hear = (text: Buffer) => {
      out += text.toString();
    };
    shell.stdout.on('data', hear);
    shell.stderr.on('data', hear);
    await once(shell, 'close');
    const parts = out.split(new RegExp(`${mark}(\\d+)\\n`));
    return blocks.map((_, index) => ({
      out: this.#asShown(parts[2 * index] ?? ''),
      code: Number(parts[2 * index + 1] ?? 1),
    }));
  }

  /** Pages say the ports that `npm start` takes when nobody says otherwise. */
  #here(text: string): string {
    return text
      .replaceAll('http://localhost:3000', this.#places.api)
      .replaceAll('http://localhost:3025', this.#places.inbox);
  }

  #asShown(text: string): string {
    const there = text.replaceAll(this.#places.inbox, 'http://localhost:3025');
    return there.replaceAll(this.#places.api, 'http://localhost:3000').replaceAll(this.#home, '~');
  }

  async stop(): Promise<void> {
    this.#demo.kill('SIGTERM');
    if (this.#demo.exitCode === null) await once(this.#demo, 'exit');
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** As it ships, and by the kubeconfig unless a server is named: what the alias of the first page does. */
function svcScript(program: string): string {
  return `#!/bin/sh
case " $* " in
  *" --server "* | *" --kubeconfig "* | *" completion "*) ;;
  *) [ -n "$SVC_SERVER" ] || set -- --kubeconfig "$KUBECONFIG" "$@" ;;
esac
exec "${process.execPath}" "${program}" "$@"
`;
}

function untilReady(demo: ChildProcess): Promise<Places> {
  let printed = '';
  return new Promise((resolve, reject) => {
    demo.stdout?.on('data', (text: Buffer) => {
      printed += text.toString();
      if (printed.endsWith('\n')) resolve(JSON.parse(printed) as Places);
    });
    demo.on('exit', (code) => reject(new Error(`the demo ended with ${code} before it was ready: ${printed}`)));
  });
}
