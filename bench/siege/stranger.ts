// Child process: one stranger, on one address, who holds as much of the frontend as it lets him, and comes again when he
// is sent away or refused.
import { connect } from 'node:net';
import { setPriority } from 'node:os';
import { type Deeds, type Kind, kinds, type Order } from './deeds.ts';

const host = 'Host: svc.example.com\r\n';
// As large as a head and a body may be, and not whole.
const head = `GET /api/v1/public/hibernation-status HTTP/1.1\r\n${host}X-Slow: ${'a'.repeat(15_000)}`;
const post = `POST /api/v1/auth/request-otp HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n${'{'.repeat(59_000)}`;
const stream = (token: string) => `GET /api/v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`;
const accepted = 'HTTP/1.1 200';

const none = (): Deeds => ({ opened: 0, cut: 0, refused: 0, open: 0, heard: 0 });
const deeds: Record<Kind, Deeds> = { streams: none(), posts: none(), heads: none() };

/** How long he waits before he comes again with what was shed or refused. */
let againMs = 0;

function hold(port: number, kind: Kind, text: string, whenOpen: () => void): void {
  const mine = deeds[kind];
  let stands = false;
  let answer: 'none' | 'good' | 'bad' = 'none';
  const socket = connect(port, '127.0.0.1', () => {
    mine.opened++;
    mine.open++;
    stands = true;
    socket.write(text);
    whenOpen();
  });
  // The only good answer is that of a stream; after any other the connection holds nothing any more.
  socket.once('data', (piece: Buffer) => {
    answer = piece.toString('latin1', 0, accepted.length) === accepted ? 'good' : 'bad';
    if (answer === 'good') mine.heard++;
    else socket.destroy();
    socket.on('data', () => {});
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (stands) mine.open--;
    if (answer === 'good') mine.heard--;
    if (answer === 'bad') mine.refused++;
    else if (stands) mine.cut++;
    if (againMs === 0) setImmediate(hold, port, kind, text, whenOpen);
    else setTimeout(hold, againMs, port, kind, text, whenOpen);
  });
}

process.once('message', (message) => {
  const { port, places, tokens, nice } = message as Order;
  setPriority(nice);
  againMs = (message as Order).againMs;
  const texts: Readonly<Record<Kind, (index: number) => string>> = {
    streams: (index) => stream(tokens[index % tokens.length]!),
    posts: () => post,
    heads: () => head,
  };
  // He is there when each of his connections has stood once.
  let missing = kinds.reduce((sum, kind) => sum + places[kind], 0);
  for (const kind of kinds) {
    for (let index = 0; index < places[kind]; index++) {
      let stood = false;
      hold(port, kind, texts[kind](index), () => {
        if (stood) return;
        stood = true;
        missing--;
        if (missing === 0) process.send?.('there');
      });
    }
  }
  process.on('message', (next) => {
    const changed = (next as Partial<Order>).againMs;
    if (changed === undefined) process.send?.(deeds);
    else againMs = changed;
  });
});
process.on('disconnect', () => process.exit(0));
