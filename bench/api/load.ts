import { connect, type Socket } from 'node:net';

export interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Requests over kept-alive connections, one at a time on each; bare sockets, so that the client is not what is measured. */
export async function load(url: string, token: string, connections: number, seconds: number): Promise<Load> {
  const { hostname, port, pathname, search } = new URL(url);
  const request = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const latencies: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, () => drive(Number(port), hostname, { request, endsAt, latencies })),
  );
  const took = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return { requestsPerSecond: latencies.length / took, p50Ms: at(0.5), p99Ms: at(0.99) };
}

function drive(
  port: number,
  host: string,
  { request, endsAt, latencies }: { readonly request: string; readonly endsAt: number; readonly latencies: number[] },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.setNoDelay(true);
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    onAnswer(socket, (status) => {
      if (status !== 200) return void reject(new Error(`status ${status}`));
      const now = performance.now();
      latencies.push(now - sentAt);
      if (now < endsAt) send();
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}

function onAnswer(socket: Socket, done: (status: number) => void): void {
  let head = '';
  let left = -1;
  let status = 0;
  socket.on('data', (chunk) => {
    let body = chunk.length;
    if (left < 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      status = Number(head.slice(9, 12));
      left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      body = head.length - end - 4;
      head = '';
    }
    left -= body;
    if (left > 0) return;
    left = -1;
    done(status);
  });
}
