import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { findAccess } from '../adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../adapters/kubernetes/transport/https-transport.ts';
import { product } from '../domain/names.ts';
import { cryptographicRandom } from '../platform/random.ts';
import { systemClock } from '../platform/system-clock.ts';
import { runCli } from './cli.ts';
import { serverOf } from './commands/login.ts';
import { connectToApi } from './connection/api-connection.ts';
import { SessionFile } from './connection/session-file.ts';
import type { Connection, Terminal } from './terminal/command.ts';
import type { Flags } from './terminal/flags.ts';

/** Questions and progress need a person on both ends of the terminal. */
function terminalOf({ stdin, stdout, stderr }: NodeJS.Process): Terminal {
  const interactive = stdin.isTTY && stderr.isTTY;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    ...(interactive
      ? {
          async ask(question: string) {
            const lines = createInterface({ input: stdin, output: stderr });
            try {
              return await lines.question(question);
            } finally {
              lines.close();
            }
          },
          progress: (text: string) => void stderr.write(`\r\u001b[K${text}`),
        }
      : {}),
  };
}

async function connect(flags: Flags, warn: (text: string) => void): Promise<Connection> {
  const { env } = process;
  const clock = systemClock;
  if (!goesToTheCluster(flags, env, process.argv[1] ?? '')) {
    return connectToApi({ server: await serverOf(flags, env), sessions: new SessionFile(env), clock });
  }
  const access = await findAccess({
    env,
    clock,
    ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
    ...(flags.context === undefined ? {} : { context: flags.context }),
  });
  const { connectToCluster } = await import('./connection/cluster-connection.ts');
  return connectToCluster({
    transport: new HttpsTransport({ access, clock }),
    clock,
    random: cryptographicRandom,
    // --namespace filters listings; the release's own namespace is fixed by its name unless the environment says else.
    namespace: env['SVC_NAMESPACE'] || product,
    where: access.server,
    warn,
  });
}

/** A kubectl plugin means the cluster that kubectl means, unless a server is named. */
function goesToTheCluster(flags: Flags, env: NodeJS.ProcessEnv, program: string): boolean {
  if (flags.kubeconfig !== undefined || flags.context !== undefined) return true;
  const plugin = basename(program).startsWith('kubectl-');
  return plugin && flags.server === undefined && !env['SVC_SERVER'];
}

export async function main(): Promise<void> {
  const { version } = packageJson;
  const args = process.argv.slice(2);
  const terminal = terminalOf(process);
  process.exitCode = await runCli({
    args,
    env: process.env,
    terminal,
    clock: systemClock,
    version,
    connect: (flags) => connect(flags, terminal.err),
  });
}
