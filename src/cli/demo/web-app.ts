import { existsSync } from 'node:fs';
import { createServer, request } from 'node:http';

export interface WebAppOptions {
  readonly port: number;
  readonly apiUrl: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Stand-in until the frontend is wired: passes `/api/` on. */
export function serveWebApp(options: WebAppOptions): Promise<{ close(): Promise<void> }> {
  const server = createServer((incoming, response) => {
    if (!incoming.url?.startsWith('/api/')) {
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(`the api is at /api/v1; web app built: ${existsSync('dist/web')}\n`);
      return;
    }
    const outgoing = request(
      new URL(incoming.url, options.apiUrl),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.writeHead(502).end());
    incoming.pipe(outgoing);
  });
  return new Promise((resolve) =>
    server.listen(options.port, () =>
      resolve({
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      }),
    ),
  );
}
