// Child process: one stranger, on one address, who holds as much of the frontend as it lets him, and comes again when he
// is sent away or refused.
import { setPriority } from 'node:os';
import { connectTo } from './connect.ts';
import { type Deeds, type Kind, kinds, type Order } from './deeds.ts';

const host = 'Host: svc.example.com\r\n';
// As large as a head and a body may be, and not whole.
const head = `GET /api/v1/public/hibernation-status HTTP/1.1\r\n${host}X-Slow: ${'a'.repeat(15_000)}`;
const post = `POST /api/v1/auth/request-otp HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n${'{'.repeat(59_000)}`;
const stream = (token: string) => `GET /api/v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\n`;
/** The beginning of a TLS record that announces 512 bytes. */
const handshake = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);
const accepted = 'HTTP/1.1 200';

const none = (): Deeds => ({ opened: 0, cut: 0, refused: 0, open: 0, heard: 0 });
const deeds: Record<Kind, Deeds> = { streams: none(), posts: none(), heads: none() };

/** How long he waits before he comes again with what was shed or refused. */
let againMs = 0;

/** Handshakes that he has under way: with more of them he would push out his own. */
const mostShaking = 32;
let shaking = 0;
const waiting: Place[] = [];

function begin(place: Place): void {
  if (!place.secure) hold(place);
  else if (shaking < mostShaking) {
    shaking++;
    hold(place);
  } else waiting.push(place);
}

function shaken(): void {
  shaking--;
  const next = waiting.shift();
  if (next !== undefined) begin(next);
}

interface Place {
  readonly port: number;
  readonly secure: boolean;
  readonly kind: Kind;
  readonly text: string | Buffer;
  readonly whenOpen: () => void;
}

function hold(place: Place): void {
  const { port, secure, kind, text, whenOpen } = place;
  const mine = deeds[kind];
  let stands = false;
  let answer: 'none' | 'good' | 'bad' = 'none';
  const socket = connectTo(port, secure, () => {
    mine.opened++;
    mine.open++;
    stands = true;
    if (secure) shaken();
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
    else if (secure) shaken();
    if (answer === 'good') mine.heard--;
    if (answer === 'bad') mine.refused++;
    else if (stands) mine.cut++;
    if (againMs === 0) setImmediate(begin, place);
    else setTimeout(begin, againMs, place);
  });
}

process.once('message', (message) => {
  const { port, secure, places, tokens, nice } = message as Order;
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
      const whenOpen = () => {
        if (stood) return;
        stood = true;
        missing--;
        if (missing === 0) process.send?.('there');
      };
      const halfSecure = secure && kind === 'heads' && index % 2 === 0;
      const text = halfSecure ? handshake : texts[kind](index);
      begin({ port, secure: secure && !halfSecure, kind, text, whenOpen });
    }
  }
  process.on('message', (next) => {
    const changed = (next as Partial<Order>).againMs;
    if (changed === undefined) process.send?.(deeds);
    else againMs = changed;
  });
});
process.on('disconnect', () => process.exit(0));
