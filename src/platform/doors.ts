import { type AddressInfo, createServer, type Server, type ServerOpts, type Socket } from 'node:net';

/** The kernel keeps no more than this waiting at one socket (`net.core.somaxconn`); whoever comes beyond comes again after whole seconds. */
const backlog = 4_096;
/**
 * Sockets that listen on the one port. Together they let four times as many wait, and one connection is taken in at each of
 * them in every turn of the loop, which matters when thousands come that ask for nothing.
 */
const doorCount = 4;

export interface Doors {
  readonly port: number;
  /** Lets nobody in any more; done when those inside have gone. */
  close(): Promise<void>;
}

export interface DoorOptions extends ServerOpts {
  /** 0 picks a free one. */
  readonly port: number;
  /** The interface; all of them by default. */
  readonly host?: string | undefined;
}

export async function openDoors(
  { port: wanted, host, ...options }: DoorOptions,
  enters: (socket: Socket) => void,
): Promise<Doors> {
  const entered = (socket: Socket) => {
    // Node takes its own listeners back where it hands a socket over, as for CONNECT: an error that nobody hears would end the process.
    socket.on('error', () => socket.destroy());
    enters(socket);
  };
  const door = (port: number, reusePort: boolean) => listening(createServer(options, entered), port, host, reusePort);
  // Where several may share a port, two frontends could too, and would each get a part of what comes: that is an error, as ever.
  if (wanted !== 0) await closed(await door(wanted, false));
  let first: Server;
  try {
    first = await door(wanted, true);
  } catch (error) {
    if (!cannotShare.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    const only = await door(wanted, false);
    return { port: portOf(only), close: () => closed(only) };
  }
  const port = portOf(first);
  const others = await Promise.all(Array.from({ length: doorCount - 1 }, () => door(port, true)));
  return { port, close: async () => void (await Promise.all([first, ...others].map(closed))) };
}

/** What kernels say that have no such option. */
const cannotShare: ReadonlySet<string> = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOPROTOOPT']);

function listening(server: Server, port: number, host: string | undefined, reusePort: boolean): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog, reusePort }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
