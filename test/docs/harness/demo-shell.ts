import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provision } from '../../../tools/provision/provision.ts';
import type { RunnableBlock } from './runnable.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = join(root, 'src/cli/entry.ts');

export interface BlockRun {
  readonly code: number;
  readonly out: string;
}

/** The demo, and a shell beside it in which `svc`, `kubectl` and `curl` reach it: what the reader of a page has. */
export class DemoShell {
  readonly #demo: ChildProcess;
  readonly #port: number;
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(demo: ChildProcess, port: number, home: string, env: NodeJS.ProcessEnv) {
    this.#demo = demo;
    this.#port = port;
    this.#home = home;
    this.#env = env;
  }

  static async start(): Promise<DemoShell> {
    const port = await freePort();
    const demo = spawn(process.execPath, [join(root, 'demo/main.ts'), '--port', String(port), '--speed', '60'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed = await untilReady(demo);
    const home = mkdtempSync(join(tmpdir(), 'svc-docs-'));
    writeFileSync(join(home, 'svc'), `#!/bin/sh\nexec "${process.execPath}" --no-warnings "${entry}" "$@"\n`);
    chmodSync(join(home, 'svc'), 0o755);
    symlinkSync(await provision('kubectl'), join(home, 'kubectl'));
    return new DemoShell(demo, port, home, {
      PATH: `${home}${delimiter}${process.env['PATH']}`,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      KUBECONFIG: /--kubeconfig (\S+)/.exec(printed)?.[1] ?? '',
      SVC: `http://localhost:${port}`,
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
      .replaceAll('localhost:3000', `localhost:${this.#port}`)
      .replaceAll('localhost:3025', `localhost:${this.#port + 25}`);
  }

  #asShown(text: string): string {
    return text
      .replaceAll(`localhost:${this.#port + 25}`, 'localhost:3025')
      .replaceAll(`localhost:${this.#port}`, 'localhost:3000')
      .replaceAll(this.#home, '~');
  }

  async stop(): Promise<void> {
    this.#demo.kill('SIGTERM');
    if (this.#demo.exitCode === null) await once(this.#demo, 'exit');
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function untilReady(demo: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    demo.stdout?.on('data', (text: Buffer) => {
      printed += text.toString();
      if (printed.includes('kubectl --kubeconfig')) resolve(printed);
    });
    demo.on('exit', (code) => reject(new Error(`the demo ended with ${code} before it was ready: ${printed}`)));
  });
}

/** The demo takes three ports beside each other, at fixed distances. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port > 65_000 ? freePort() : port;
}
