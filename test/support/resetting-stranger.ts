import { connect } from 'node:net';

/** Whatever can be said to a server that speaks HTTP, and what Node hands to listeners of several kinds. */
const sayings: readonly string[] = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nmore',
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\nContent-Length: 5\r\n\r\n',
  'POST /api/v1/x HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
  `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`,
  'this is no HTTP\r\n\r\n',
  '\x16\x03\x01\x00\x05hello',
  '',
];

/** Between a byte sent and the reset, a server gets this many turns to have begun its answer. */
const turns = [0, 1, 2, 4] as const;

/** Says each of these to the port, and resets the connection; answers with what the process would have died of. */
export async function resetConnections(
  port: number,
  speak: (port: number, text: string, turns: number) => Promise<void> = plainly,
): Promise<readonly string[]> {
  const died: string[] = [];
  const onDeath = (error: Error) => void died.push(String(error));
  process.on('uncaughtException', onDeath);
  try {
    for (const text of sayings) for (const count of turns) await speak(port, text, count);
    await turnsOfTheLoop(20);
  } finally {
    process.off('uncaughtException', onDeath);
  }
  return died;
}

function plainly(port: number, text: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, () => void turnsOfTheLoop(count).then(() => socket.resetAndDestroy()));
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

export async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
