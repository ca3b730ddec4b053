import { createServer, type Server } from 'node:http';

export interface HealthChecks {
  /** False only when a restart would help. */
  alive(): boolean;
  /** False with a reason while the process cannot do its work yet. */
  ready(): { ready: true } | { ready: false; reason: string };
}

/** `/healthz` and `/readyz`, on a port of their own so that probes work whatever the main port is busy with. */
export function serveHealth(port: number, checks: HealthChecks): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(`${text}\n`);
    if (request.url === '/healthz') {
      checks.alive() ? answer(200, 'ok') : answer(503, 'not alive');
    } else if (request.url === '/readyz') {
      const state = checks.ready();
      state.ready ? answer(200, 'ok') : answer(503, state.reason);
    } else {
      answer(404, 'not found');
    }
  });
  return listening(server, port);
}

/** Serves the text that `render` gives at `/metrics`. */
export function serveMetrics(
  port: number,
  render: () => Promise<{ contentType: string; text: string }>,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    render().then(
      ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return listening(server, port);
}

function listening(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}
