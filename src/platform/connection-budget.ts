import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { limitKey } from './limit-key.ts';
import { plainAddress } from './trusted-proxies.ts';
import { WaitingRoom } from './waiting-room.ts';

export interface ConnectionRooms {
  /** Connections that have not sent the head of their first request. */
  readonly fresh: number;
  /** Connections that have been answered and say nothing, or are slow to say the next thing. */
  readonly idle: number;
}

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  fresh: boolean;
  answering: number;
}

/**
 * Bounds what connections cost that ask for nothing. A server that is full of them does not refuse whoever comes next, who may
 * have something to ask: it hangs up on the one that has said nothing for longest. Connections whose request is being
 * answered are never taken away here.
 */
export class ConnectionBudget {
  readonly #fresh: WaitingRoom<Connection>;
  readonly #idle: WaitingRoom<Connection>;
  /** By the far end, because the socket that a request names is another object where TLS is spoken. */
  readonly #open = new Map<string, Connection>();
  #servers = 0;

  constructor({ fresh, idle }: ConnectionRooms) {
    this.#fresh = new WaitingRoom(fresh);
    this.#idle = new WaitingRoom(idle);
  }

  /** The answer is to be called with each connection that is handed to this server. */
  watch(server: HttpServer | HttpsServer): (socket: Socket) => void {
    const place = `${this.#servers++}`;
    for (const event of ['request', 'checkExpectation'] as const) {
      server.prependListener(event, (request: IncomingMessage, response: ServerResponse) => {
        this.#asked(this.#open.get(keyOf(place, request.socket)), response);
      });
    }
    return (socket) => this.#opened(keyOf(place, socket), socket);
  }

  #opened(key: string, socket: Socket): void {
    const client = limitKey(plainAddress(socket.remoteAddress ?? ''));
    const connection: Connection = { socket, client, fresh: true, answering: 0 };
    this.#open.set(key, connection);
    socket.once('close', () => {
      this.#fresh.leave(client, connection);
      this.#idle.leave(client, connection);
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    this.#fresh.enter(client, connection)?.socket.destroy();
  }

  #asked(connection: Connection | undefined, response: ServerResponse): void {
    if (connection === undefined) return;
    const { client, socket } = connection;
    if (connection.fresh) this.#fresh.leave(client, connection);
    else this.#idle.leave(client, connection);
    connection.fresh = false;
    connection.answering++;
    response.once('close', () => {
      connection.answering--;
      if (connection.answering > 0 || socket.destroyed) return;
      this.#idle.enter(client, connection)?.socket.destroy();
    });
  }
}

function keyOf(place: string, { remoteAddress, remotePort }: Socket): string {
  return `${place} ${remoteAddress} ${remotePort}`;
}
