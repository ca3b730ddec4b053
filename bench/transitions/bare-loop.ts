// The same patches as the controller's, and nothing else: what this machine's apiserver gives to 50 connections.
import { Agent, request } from 'node:https';

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

process.on('message', (job: Job) => {
  void run(job).then((ms) => process.send?.({ bare: { count: job.patches.length, ms } }));
});

async function run({ server, ca, token, concurrency, patches }: Job): Promise<number> {
  const agent = new Agent({ keepAlive: true, ca });
  const startedAt = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < patches.length) {
      const { path, body } = patches[next++]!;
      await send(new URL(path, server), agent, token, body);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  agent.destroy();
  return performance.now() - startedAt;
}

function send(url: URL, agent: Agent, token: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/merge-patch+json',
      'content-length': Buffer.byteLength(body),
    };
    const outgoing = request(url, { agent, method: 'PATCH', headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url.pathname}: status ${response.statusCode}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
