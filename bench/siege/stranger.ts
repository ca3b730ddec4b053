// Child process: one stranger, on one address, who holds as much of the frontend as it lets him, and comes again when sent away.
import { connect } from 'node:net';

interface Order {
  readonly port: number;
  readonly heads: number;
  readonly posts: number;
  readonly streams: number;
  readonly tokens: readonly string[];
}

const host = 'Host: svc.example.com\r\n';
const head = `GET /api/v1/public/hibernation-status HTTP/1.1\r\n${host}X-Slow: `;
const post = `POST /api/v1/auth/request-otp HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
const stream = (token: string) => `GET /api/v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`;
const comesAgainMs = 10_000;
/** So many a turn, so that it is the frontend that is busy, and not the machine with connecting. */
const perTurn = 50;

let opened = 0;
let sentAway = 0;

function hold(port: number, text: string): void {
  const socket = connect(port, '127.0.0.1', () => {
    opened++;
    socket.write(text);
  });
  socket.on('data', () => {});
  socket.on('error', () => {});
  socket.on('close', () => {
    sentAway++;
    setTimeout(() => hold(port, text), comesAgainMs * (0.5 + Math.random()));
  });
}

process.once('message', async (message) => {
  const { port, heads, posts, streams, tokens } = message as Order;
  const texts = [
    ...Array.from({ length: heads }, () => head),
    ...Array.from({ length: posts }, () => post),
    ...Array.from({ length: streams }, (_, index) => stream(tokens[index % tokens.length]!)),
  ];
  for (let index = 0; index < texts.length; index += perTurn) {
    for (const text of texts.slice(index, index + perTurn)) hold(port, text);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.send?.('there');
  process.on('message', () => process.send?.({ opened, sentAway }));
});
process.on('disconnect', () => process.exit(0));
