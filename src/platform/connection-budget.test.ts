import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionBudget } from './connection-budget.ts';

let server: Server;
afterEach(() => server.close());

const one = 'GET /small HTTP/1.1\r\nHost: svc.example.com\r\n\r\n';

async function start(): Promise<{ readonly port: number; readonly read: IncomingMessage[] }> {
  const read: IncomingMessage[] = [];
  server = createServer((request, response) => {
    read.push(request);
    if (!request.socket.destroyed) response.end('ok');
  });
  const enter = new ConnectionBudget({ fresh: 10, begun: 10, idle: 10, answering: 10, isStream: () => false }).watch(
    server,
  );
  server.prependListener('connection', enter);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, read };
}

async function send(port: number, text: string): Promise<void> {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'close');
}

describe('a connection with more requests than may be open', () => {
  it('is cut, and the rest of what it sent in one piece is not even read', async () => {
    const { port, read } = await start();
    await send(port, one.repeat(1_000));
    expect(read.length).toBeLessThanOrEqual(3);
  });

  it('leaves nothing behind for those who come next', async () => {
    const { port, read } = await start();
    for (let turn = 0; turn < 20; turn++) await send(port, one.repeat(100));
    read.length = 0;
    for (let turn = 0; turn < 20; turn++) {
      const [answer] = (await once(get({ port, host: '127.0.0.1', path: '/small', agent: false }), 'response')) as [
        IncomingMessage,
      ];
      expect([answer.statusCode, (await answer.toArray()).join('')]).toEqual([200, 'ok']);
    }
    expect(read).toHaveLength(20);
  });

  it('has the two that may be open answered, one behind the other', async () => {
    const { port, read } = await start();
    const socket = connect(port, '127.0.0.1', () => socket.write(one.repeat(2)));
    let text = '';
    for await (const piece of socket) {
      text += piece;
      if (text.split('\r\n\r\nok').length === 3) break;
    }
    expect([text.match(/HTTP\/1\.1 200 OK/g)?.length, read.length]).toEqual([2, 2]);
  });
});
