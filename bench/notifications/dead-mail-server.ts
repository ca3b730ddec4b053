import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export const deaths = ['silent', 'refusing', 'dropping'] as const;
/** Takes the connection and says nothing; is not there; hangs up at once. */
export type Death = (typeof deaths)[number];

export interface DeadMailServer {
  readonly port: number;
  /** Connections that were tried and reached it. */
  connections(): number;
  close(): void;
}

export async function deadMailServer(death: Death): Promise<DeadMailServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    if (death === 'dropping') return void socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Nobody listens on the port any more, and nobody else is given it so soon.
  if (death === 'refusing') server.close();
  return {
    port,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
