// The same patches as the controller's, and nothing else: what this machine's apiserver gives to 50 connections. Written for speed alone,
// with connections that stand before the clock starts and answers that are read no further than to their end.
import { connect, type TLSSocket } from 'node:tls';

export interface BarePatch {
  readonly path: string;
  readonly body: string;
}

interface Job {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
  readonly concurrency: number;
  readonly patches: readonly BarePatch[];
}

const lastChunk = Buffer.from('0\r\n\r\n');
const endOfHead = '\r\n\r\n';

process.on('message', (job: Job) => {
  void run(job).then((ms) => process.send?.({ bare: { count: job.patches.length, ms } }));
});

async function run({ server, ca, token, concurrency, patches }: Job): Promise<number> {
  const { hostname: host, port } = new URL(server);
  const to = { host, port: Number(port), ca };
  const lanes = await Promise.all(Array.from({ length: concurrency }, () => Lane.open(to)));
  const head = `Host: ${host}:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/merge-patch+json`;
  const requests = patches.map(({ path, body }) =>
    Buffer.from(`PATCH ${path} HTTP/1.1\r\n${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
  );
  const startedAt = performance.now();
  let next = 0;
  const drive = async (lane: Lane) => {
    while (next < requests.length) await lane.send(requests[next++]!);
  };
  await Promise.all(lanes.map(drive));
  const ms = performance.now() - startedAt;
  for (const lane of lanes) lane.close();
  return ms;
}

/** One connection, one request at a time. */
class Lane {
  readonly #socket: TLSSocket;
  #answered: () => void = () => {};
  #failed: (error: Error) => void = () => {};
  /** Bytes of the answer that are still to come; undefined before its head, infinite where only its last chunk tells. */
  #left: number | undefined;
  #tail: Buffer = Buffer.alloc(0);

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.on('data', (data) => this.#take(data as Buffer));
    socket.on('error', (error) => this.#failed(error));
    socket.on('close', () => this.#failed(new Error('The apiserver closed a connection.')));
  }

  static open(to: { readonly host: string; readonly port: number; readonly ca: string }): Promise<Lane> {
    return new Promise((resolve, reject) => {
      const socket = connect({ ...to, ALPNProtocols: ['http/1.1'] }, () => resolve(new Lane(socket)));
      socket.setNoDelay(true);
      socket.once('error', reject);
    });
  }

  send(request: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      [this.#answered, this.#failed] = [resolve, reject];
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#failed = () => {};
    this.#socket.destroy();
  }

  #take(data: Buffer): void {
    this.#left = this.#left === undefined ? this.#bodyAfter(data) : this.#left - data.length;
    const chunked = this.#left === Number.POSITIVE_INFINITY;
    if (chunked)
      this.#tail = (data.length < lastChunk.length ? Buffer.concat([this.#tail, data]) : data).subarray(
        -lastChunk.length,
      );
    if (chunked ? !this.#tail.equals(lastChunk) : this.#left > 0) return;
    this.#left = undefined;
    this.#answered();
  }

  /** How much is to come after this piece, which has the whole head: an apiserver writes it at once. */
  #bodyAfter(data: Buffer): number {
    const end = data.indexOf(endOfHead);
    const head = end < 0 ? 'An answer began with half a head.' : data.toString('latin1', 0, end);
    if (!head.startsWith('HTTP/1.1 200')) this.#failed(new Error(head.split('\r\n', 1)[0]));
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    return length === undefined ? Number.POSITIVE_INFINITY : Number(length) - (data.length - end - endOfHead.length);
  }
}
