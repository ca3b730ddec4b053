import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ClusterConnection, type ControlPlane, type ProcessName, processNames } from './control-plane.ts';
import { clusterFiles } from './layout.ts';

interface ControlCommand {
  readonly act: 'processes' | 'kill' | 'start' | 'restart-apiserver' | 'stop';
  readonly name?: ProcessName;
  readonly signal?: NodeJS.Signals;
}

/**
 * Lets other processes of the same user (test workers, `down`) command a control plane that this process owns.
 * Only the owner can start processes that die with it, so they ask it instead of doing it themselves.
 */
export async function serveControl(plane: ControlPlane, afterStop: () => void = () => {}): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    obey(plane, incoming).then(
      (answer) => {
        reply(outgoing, 200, answer);
        if (answer.stopped) afterStop();
      },
      (error: Error) => reply(outgoing, 500, { error: error.message }),
    );
  });
  server.listen(clusterFiles(plane.dir).controlSocket);
  await once(server, 'listening');
  // The cluster must not keep a finished test run alive.
  server.unref();
  return server;
}

interface ControlAnswer {
  readonly processes?: Awaited<ReturnType<ControlPlane['processes']>>;
  readonly stopped?: boolean;
  readonly error?: string;
}

async function obey(plane: ControlPlane, incoming: IncomingMessage): Promise<ControlAnswer> {
  const command = JSON.parse(await text(incoming)) as ControlCommand;
  switch (command.act) {
    case 'processes':
      return { processes: await plane.processes() };
    case 'kill':
      await plane.kill(named(command), command.signal);
      return {};
    case 'start':
      await plane.start(named(command));
      return {};
    case 'restart-apiserver':
      await plane.restartApiserver();
      return {};
    case 'stop':
      await plane.stop();
      return { stopped: true };
    default:
      throw new Error(`unknown act ${JSON.stringify(command.act)}`);
  }
}

function named(command: ControlCommand): ProcessName {
  if (command.name === undefined || !processNames.includes(command.name)) {
    throw new Error(`name is ${JSON.stringify(command.name)}; it must be one of ${processNames.join(', ')}`);
  }
  return command.name;
}

function reply(outgoing: ServerResponse, status: number, answer: ControlAnswer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

/** The control plane in that folder, owned by another process, with the same interface as to its owner. */
export async function attachControlPlane(folder: string): Promise<ControlPlane> {
  const files = clusterFiles(folder);
  const connection = JSON.parse(await readFile(files.connection, 'utf8')) as ClusterConnection;
  const tell = (command: ControlCommand) => sendCommand(files.controlSocket, command);
  return {
    ...connection,
    processes: async () => (await tell({ act: 'processes' })).processes ?? [],
    kill: async (name, signal = 'SIGKILL') => void (await tell({ act: 'kill', name, signal })),
    start: async (name) => void (await tell({ act: 'start', name })),
    restartApiserver: async () => void (await tell({ act: 'restart-apiserver' })),
    stop: async () => void (await tell({ act: 'stop' })),
  };
}

async function sendCommand(socketPath: string, command: ControlCommand): Promise<ControlAnswer> {
  const sent = request({ socketPath, method: 'POST', path: '/', agent: false });
  sent.end(JSON.stringify(command));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = JSON.parse(await text(response)) as ControlAnswer;
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}
