import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { limitKey } from './limit-key.ts';
import { plainAddress } from './trusted-proxies.ts';
import { WaitingRoom } from './waiting-room.ts';

export interface ConnectionRooms {
  /** Connections that have not sent the head of their first request. */
  readonly fresh: number;
  /**
   * Of these, connections that have begun a head and not ended it. So few that whoever has just come, and whose first word is on its way, is
   * not pushed out by a flood of them.
   */
  readonly begun: number;
  /** Connections that have been answered and say nothing, or are slow to say the next thing. */
  readonly idle: number;
  /** Connections that are being answered, streams aside: whoever takes an answer takes it soon. */
  readonly answering: number;
  /** Whether the answer is meant to stay open; such are bounded by those who open them. */
  isStream(request: IncomingMessage): boolean;
}

export interface Gate {
  /** To be called with each connection. */
  enter(socket: Socket): void;
  /** To be called with the server that they are handed to, before the first of them is. */
  serve(server: HttpServer | HttpsServer): void;
}

/** Requests that a connection may have sent before the first of them is answered; nobody who means well sends more. */
const mostUnanswered = 2;
/**
 * A connection with TLS keeps buffers of its own: 65 to 75 KiB, where 15 to 27 do without it (Node 26, as our containers start it; idle, and with a
 * stream on it). More than four times as much, because what all rooms hold together has to fit, and TLS itself takes some megabytes.
 */
export const secureWeight = 6;
/** One that has not finished its handshake: 40 KiB, and not for long. Who means to finish it needs the time of a round trip in the room, however many come meanwhile. */
export const handshakeWeight = 2;

interface Connection {
  readonly socket: Socket;
  readonly client: string;
  /** As how many it counts. */
  weight: number;
  fresh: boolean;
  answering: number;
}

/**
 * Bounds what connections cost that ask for nothing, or do not take what they asked for. A server that is full of them does
 * not refuse whoever comes next, who may have something to ask: it hangs up on the one that has said or taken nothing for
 * longest. Streams are never taken away here.
 */
export class ConnectionBudget {
  readonly #fresh: WaitingRoom<Connection>;
  readonly #begun: WaitingRoom<Connection>;
  /** Fresh ones of which nothing had come when they were last looked at; the one that was looked at longest ago is first. */
  readonly #silent = new Set<Connection>();
  readonly #idle: WaitingRoom<Connection>;
  readonly #answering: WaitingRoom<Connection>;
  readonly #isStream: ConnectionRooms['isStream'];
  readonly #open = new Map<Key, Connection>();
  readonly #clientOf = rememberingTheLast((address) => limitKey(plainAddress(address)));
  #servers = 0;

  constructor({ fresh, begun, idle, answering, isStream }: ConnectionRooms) {
    this.#fresh = new WaitingRoom(fresh);
    this.#begun = new WaitingRoom(begun);
    this.#idle = new WaitingRoom(idle);
    this.#answering = new WaitingRoom(answering);
    this.#isStream = isStream;
  }

  /** The answer is to be called with each connection that is handed to this server. */
  watch(server: HttpServer | HttpsServer): (socket: Socket) => void {
    const { enter, serve } = this.gate({ clear: true });
    serve(server);
    return enter;
  }

  /** A way in for connections to a server that is there later; where TLS is spoken, bytes say nothing of a head, but the handshake does. */
  gate({ clear }: { readonly clear: boolean }): Gate {
    const keyOf = clear ? itself : farEnd(this.#servers++);
    return {
      enter: (socket) => this.#opened(keyOf(socket), socket, clear),
      serve: (server) => {
        server.prependListener('secureConnection', (socket: Socket) => {
          const connection = this.#open.get(keyOf(socket));
          if (connection !== undefined) this.#shookHands(connection);
        });
        for (const event of ['request', 'checkExpectation'] as const) {
          server.prependListener(event, (request: IncomingMessage, response: ServerResponse) => {
            this.#asked(this.#open.get(keyOf(request.socket)), request, response);
          });
        }
      },
    };
  }

  #opened(key: Key, socket: Socket, clear: boolean): void {
    const client = this.#clientOf(socket.remoteAddress ?? '');
    const weight = clear ? 1 : handshakeWeight;
    const connection: Connection = { socket, client, weight, fresh: true, answering: 0 };
    this.#open.set(key, connection);
    socket.once('close', () => {
      this.#notFresh(connection);
      this.#idle.leave(client, connection);
      this.#answering.leave(client, connection);
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    enter(this.#fresh, connection);
    this.#lookAtSilent();
    if (clear) this.#silent.add(connection);
  }

  /** Node tells nobody that the first bytes of a head have come, so two are looked at whenever one comes. */
  #lookAtSilent(): void {
    for (let looks = Math.min(2, this.#silent.size); looks > 0; looks--) {
      const connection = this.#silent.values().next().value!;
      this.#silent.delete(connection);
      if (connection.socket.bytesRead === 0) this.#silent.add(connection);
      else enter(this.#begun, connection);
    }
  }

  /** Whose request comes in the same breath has it read next; who is slow to make it stands among those who have begun a head. */
  #shookHands(connection: Connection): void {
    if (connection.socket.destroyed) return;
    connection.weight = secureWeight;
    enter(this.#fresh, connection);
    enter(this.#begun, connection);
  }

  #notFresh(connection: Connection): void {
    this.#fresh.leave(connection.client, connection);
    this.#begun.leave(connection.client, connection);
    this.#silent.delete(connection);
  }

  #asked(connection: Connection | undefined, request: IncomingMessage, response: ServerResponse): void {
    if (connection === undefined || connection.socket.destroyed) return;
    const { client, socket } = connection;
    if (connection.fresh) this.#notFresh(connection);
    else this.#idle.leave(client, connection);
    connection.fresh = false;
    connection.answering++;
    if (connection.answering > mostUnanswered) {
      readNoMore(request.socket);
      socket.destroy();
      return;
    }
    if (!this.#isStream(request)) enter(this.#answering, connection);
    response.once('close', () => {
      connection.answering--;
      if (connection.answering > 0 || socket.destroyed) return;
      this.#answering.leave(client, connection);
      enter(this.#idle, connection);
    });
  }
}

function enter(room: WaitingRoom<Connection>, connection: Connection): void {
  for (const { socket } of room.enter(connection.client, connection, connection.weight)) socket.destroy();
}

/**
 * A socket that is destroyed is read no more, but what has come of it in one piece still is: up to 64 KiB, a thousand requests, made and
 * thrown away while everybody else waits. Node has no call for it. Its parser ends where the answer to a head is that another protocol
 * begins, which is 2; where there is no such parser, all are read, as before.
 */
function readNoMore(socket: Socket): void {
  const { parser } = socket as { readonly parser?: { onIncoming?: unknown } | null };
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => 2;
}

/** By what a connection is found again when a request comes on it. */
type Key = Socket | string;

const itself = (socket: Socket): Key => socket;

/** The socket that a request names is another object where TLS is spoken; both know who is at the far end. */
function farEnd(server: number): (socket: Socket) => Key {
  return ({ remoteAddress, remotePort }) => `${server} ${remoteAddress} ${remotePort}`;
}

/** Thousands that come at once mostly come from one address. */
function rememberingTheLast(work: (text: string) => string): (text: string) => string {
  let asked: string | undefined;
  let answer = '';
  return (text) => {
    if (text !== asked) {
      answer = work(text);
      asked = text;
    }
    return answer;
  };
}
