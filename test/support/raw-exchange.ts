import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the server hung up without one. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends these bytes as they are, and answers with the first final answer that comes back; then hangs up. */
export function rawExchange(port: number, bytes: string): Promise<RawAnswer> {
  const headOnly = bytes.startsWith('HEAD ');
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
      if (isWhole(finalAnswer(text), headOnly)) socket.destroy();
    });
    // A server that hangs up on unread bytes resets the connection; what it said before counts.
    socket.on('error', () => {});
    socket.on('close', () => resolve(finalAnswer(text)));
  });
}

function finalAnswer(text: string): RawAnswer {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return { status: 0, head: '', body: '' };
  // Interim answers, such as 100, come before the one that counts.
  if (status >= 100 && status < 200) return finalAnswer(text.slice(end + 4));
  return { status, head: text.slice(0, end), body: text.slice(end + 4) };
}

function isWhole({ status, head, body }: RawAnswer, headOnly: boolean): boolean {
  if (status === 0) return false;
  if (headOnly || status === 304) return true;
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  return length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length);
}
