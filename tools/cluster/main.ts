// `npm run cluster -- up | embedded | status | down | kubectl … | helm …`
import { spawnSync } from 'node:child_process';
import { provision } from '../provision/provision.ts';
import { Unavailable } from '../provision/unavailable.ts';
import { type ClusterCommand, parseCommand, usage } from './command-line.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { attachControlPlane, serveControl } from './control-socket.ts';
import { type NamedCluster, namedFolder, runningCluster, startDetached } from './detached.ts';
import { sweepLeftovers } from './leftovers.ts';

const named: readonly NamedCluster[] = ['up', 'embedded'];

async function run(command: ClusterCommand): Promise<number> {
  switch (command.act) {
    case 'up':
      // Here, not in the background: a first build takes minutes and its progress should be seen.
      await provision('controlplane');
      return announce(
        (await runningCluster('up')) ?? (await startDetached('up', ['serve', '--nodes', `${command.nodes}`])),
      );
    case 'embedded':
      return announce(
        (await runningCluster('embedded')) ??
          (await startDetached('embedded', ['serve-embedded', '--port', `${command.port}`])),
      );
    case 'serve':
      return serveUntilStopped(await startControlPlane({ folder: command.folder, nodes: command.nodes }));
    case 'serve-embedded':
      return serveUntilStopped(await (await import('./embedded.ts')).startEmbedded(command.folder, command.port));
    case 'down':
      return down();
    case 'status':
      return status();
    case 'kubectl':
      return onCluster((await provision('controlplane')).kubectl, command.args);
    case 'helm':
      return onCluster(await provision('helm'), command.args);
    case 'help':
      process.stdout.write(`${usage}\n`);
      return 0;
    case 'usage':
      process.stderr.write(`${command.problem}\n${usage}\n`);
      return 2;
  }
}

function announce(connection: { url: string; kubeconfig: string }): number {
  process.stderr.write(`The cluster answers at ${connection.url}\n`);
  process.stdout.write(`kubeconfig: ${connection.kubeconfig}\n`);
  return 0;
}

async function serveUntilStopped(plane: ControlPlane): Promise<never> {
  await new Promise<void>((resolve) => {
    const stop = () => plane.stop().then(resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    serveControl(plane, resolve).then((server) => server.ref());
  });
  // Watches of clients, and whatever else is open, do not keep a stopped cluster.
  process.exit(0);
}

async function down(): Promise<number> {
  for (const name of named) {
    if ((await runningCluster(name)) === undefined) continue;
    await (await attachControlPlane(namedFolder(name))).stop();
    process.stderr.write(`Stopped ${name === 'up' ? 'the control plane' : 'the embedded cluster'}.\n`);
  }
  const swept = await sweepLeftovers();
  if (swept.length > 0) process.stderr.write(`Ended what a killed run had left: ${swept.join(', ')}.\n`);
  return 0;
}

async function status(): Promise<number> {
  let running = 0;
  for (const name of named) {
    const connection = await runningCluster(name);
    if (connection === undefined) continue;
    running++;
    process.stdout.write(
      `${name}: ${connection.url}\nkubeconfig: ${connection.kubeconfig}\nlogs: ${connection.logs}\n`,
    );
    for (const one of await (await attachControlPlane(namedFolder(name))).processes()) {
      process.stdout.write(`  ${one.name} ${one.running ? `runs as ${one.pid}` : 'has ended'}\n`);
    }
  }
  if (running === 0) process.stdout.write('no cluster runs; start one with: npm run cluster -- up\n');
  return running > 0 ? 0 : 1;
}

async function onCluster(program: string, args: readonly string[]): Promise<number> {
  const connection = (await runningCluster('up')) ?? (await runningCluster('embedded'));
  const kubeconfig = process.env['TEST_KUBECONFIG'] ?? connection?.kubeconfig;
  if (kubeconfig === undefined) {
    process.stderr.write('no cluster runs: start one with "npm run cluster -- up", or set TEST_KUBECONFIG\n');
    return 1;
  }
  const result = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, KUBECONFIG: kubeconfig } });
  return result.status ?? 1;
}

try {
  process.exitCode = await run(parseCommand(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Unavailable ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
