import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Where the ready pods behind one port of a Service listen on this machine. */
export type Backends = () => readonly number[];

/** The part of kube-proxy for one port: a listener that stays the same while pods come and go. */
export class ServiceProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(backends: Backends): Promise<ServiceProxy> {
    const server = createServer();
    const proxy = new ServiceProxy(server);
    server.on('connection', (socket) => proxy.#forward(socket, backends()[0]));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Without a ready pod the connection is refused, as a Service without endpoints does. */
  #forward(socket: Socket, port: number | undefined): void {
    if (port === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const inner = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => this.#sockets.delete(one));
      one.pipe(other);
    }
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
