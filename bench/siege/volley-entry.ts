// Child process: one stranger who sends a thousand requests in one piece on each of his connections, and comes again at once when he is
// cut off.
import { setPriority } from 'node:os';
import { connectTo } from './connect.ts';
import type { VolleyOrder, Volleys } from './deeds.ts';

const deeds: Volleys = { sent: 0 };

function send(port: number, secure: boolean, volley: Buffer): void {
  const socket = connectTo(port, secure, () => {
    deeds.sent++;
    socket.write(volley);
  });
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.on('close', () => setImmediate(send, port, secure, volley));
}

process.once('message', (message) => {
  const { port, secure, connections, requests, paths, nice } = message as VolleyOrder;
  setPriority(nice);
  for (let index = 0; index < connections; index++) {
    const one = `GET ${paths[index % paths.length]} HTTP/1.1\r\nHost: svc.example.com\r\n\r\n`;
    send(port, secure, Buffer.from(one.repeat(requests)));
  }
  process.on('message', () => process.send?.(deeds));
});
process.on('disconnect', () => process.exit(0));
