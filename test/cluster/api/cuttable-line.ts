import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to an apiserver that can be cut: bytes go through untouched, until nobody answers at this port any more. */
export class CuttableLine {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server;
  port = 0;

  private constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = this.#made();
  }

  static async to(url: string): Promise<CuttableLine> {
    const { hostname, port } = new URL(url);
    const line = new CuttableLine({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
    await line.#listen(0);
    return line;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  get stands(): boolean {
    return this.#server.listening;
  }

  /** From now on connections are refused, and those that stand are gone. */
  async cut(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }

  async mend(): Promise<void> {
    this.#server = this.#made();
    await this.#listen(this.port);
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  #made(): Server {
    return createServer((near) => {
      const far = connect(this.#target.port, this.#target.host);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.on('error', () => other.destroy());
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
  }
}
