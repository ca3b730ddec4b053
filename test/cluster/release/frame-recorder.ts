import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Frame } from '../../../src/ports/sinks.ts';

export interface FrameRecorder {
  readonly frames: Frame[];
  /** What makes a controller send its frames here. */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

const secret = 'internal-secret-for-tests-0123456789';

/** Stands in for the api: keeps what the controller reports, and refuses who does not know the secret. */
export async function recordFrames(): Promise<FrameRecorder> {
  const frames: Frame[] = [];
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const known = incoming.headers.authorization === `Bearer ${secret}`;
      if (known && incoming.url === '/api/v1/internal/frames') frames.push(JSON.parse(body) as Frame);
      outgoing.writeHead(known ? 204 : 401).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    frames,
    environment: { API_URL: `http://127.0.0.1:${port}`, INTERNAL_API_SECRET: secret },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
