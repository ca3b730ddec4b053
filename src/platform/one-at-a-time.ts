import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Requests that a client sends before the one ahead is answered wait for it. Otherwise each of them would hold a place of
 * those who ask the API, behind an answer that the client need not ever read.
 */
export function oneAtATime(handle: Handle): Handle {
  const behind = new WeakMap<Socket, (() => void)[]>();
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    response.once('close', () => {
      const next = socket.destroyed ? undefined : behind.get(socket)?.shift();
      if (next === undefined) behind.delete(socket);
      else next();
    });
    handle(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const waiting = behind.get(socket);
    if (waiting !== undefined) {
      waiting.push(() => begin(request, response));
      return;
    }
    behind.set(socket, []);
    begin(request, response);
  };
}
