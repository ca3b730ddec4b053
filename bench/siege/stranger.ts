// Child process: one stranger, on one address, who holds as much of the frontend as it lets him, and comes again at once when he
// is sent away or refused.
import { connect } from 'node:net';
import { setPriority } from 'node:os';

export interface Order {
  readonly port: number;
  readonly heads: number;
  readonly posts: number;
  readonly streams: number;
  readonly tokens: readonly string[];
  /** Of his process: he has a machine of his own, and on this one he must not take what the service needs. */
  readonly nice: number;
}

export interface Deeds {
  readonly opened: number;
  readonly sentAway: number;
  /** Connections that stood when he was asked, by what is held with them. */
  readonly open: Readonly<Record<Kind, number>>;
}

type Kind = 'heads' | 'posts' | 'streams';

const host = 'Host: svc.example.com\r\n';
// As large as a head and a body may be, and not whole.
const head = `GET /api/v1/public/hibernation-status HTTP/1.1\r\n${host}X-Slow: ${'a'.repeat(15_000)}`;
const post = `POST /api/v1/auth/request-otp HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n${'{'.repeat(59_000)}`;
const stream = (token: string) => `GET /api/v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`;
const accepted = 'HTTP/1.1 200';

let opened = 0;
let sentAway = 0;
const open: Record<Kind, number> = { heads: 0, posts: 0, streams: 0 };

function hold(port: number, kind: Kind, text: string): void {
  let stands = false;
  const socket = connect(port, '127.0.0.1', () => {
    opened++;
    open[kind]++;
    stands = true;
    socket.write(text);
  });
  // The only good answer is that of a stream; after any other the connection holds nothing any more.
  socket.once('data', (piece: Buffer) => {
    if (!piece.toString('latin1', 0, accepted.length).startsWith(accepted)) socket.destroy();
    socket.on('data', () => {});
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    sentAway++;
    if (stands) open[kind]--;
    setImmediate(hold, port, kind, text);
  });
}

process.once('message', (message) => {
  const { port, heads, posts, streams, tokens, nice } = message as Order;
  setPriority(nice);
  for (let index = 0; index < streams; index++) hold(port, 'streams', stream(tokens[index % tokens.length]!));
  for (let index = 0; index < posts; index++) hold(port, 'posts', post);
  for (let index = 0; index < heads; index++) hold(port, 'heads', head);
  process.on('message', () => process.send?.({ opened, sentAway, open } satisfies Deeds));
  process.send?.('there');
});
process.on('disconnect', () => process.exit(0));
