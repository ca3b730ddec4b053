import { connect } from 'node:net';

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadOptions {
  readonly port: number;
  readonly seconds: number;
  readonly connections: number;
  /** What every answer must begin with. */
  readonly expect: string;
}

const request = Buffer.from(
  'GET /cart?item=42 HTTP/1.1\r\nHost: shop.example.com\r\nAccept: text/html,application/xhtml+xml,*/*;q=0.8\r\nUser-Agent: Mozilla/5.0\r\n\r\n',
);

/** Keeps every connection busy with one request at a time, and reads answers by their `Content-Length` alone. */
export async function load({ port, seconds, connections, expect }: LoadOptions): Promise<LoadResult> {
  const took: number[] = [];
  const endAt = performance.now() + seconds * 1000;
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, () => keepAsking(port, endAt, expect, took)));
  const elapsed = (performance.now() - startedAt) / 1000;
  took.sort((a, b) => a - b);
  const quantile = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { perSecond: took.length / elapsed, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

function keepAsking(port: number, endAt: number, expect: string, took: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let askedAt = 0;
    let missing = 0;
    let head = '';
    const ask = () => {
      askedAt = performance.now();
      socket.write(request);
    };
    socket.on('error', reject);
    socket.on('connect', ask);
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: it keeps step with what it measures, without calls in between.
    socket.on('data', (piece) => {
      if (missing === 0) {
        head += piece.toString('latin1');
        if (!head.includes('\r\n\r\n')) return;
        if (!head.startsWith(expect)) return reject(new Error(`unexpected answer: ${head.slice(0, 60)}`));
        missing = bytesAfter(head);
        head = '';
      } else missing -= piece.length;
      if (missing > 0) return;
      const now = performance.now();
      took.push(now - askedAt);
      if (now < endAt) ask();
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}

/** How much of the body is still to come after a piece that holds the whole head. */
function bytesAfter(head: string): number {
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  return length - (head.length - head.indexOf('\r\n\r\n') - 4);
}
