import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../platform/silent-logger.ts';
import { systemClock } from '../platform/system-clock.ts';
import { type RunningFrontend, startFrontend } from './frontend.ts';
import { optionsFrom } from './main.ts';
import { laneSizes } from './proxy/lanes.ts';

let folder: string;
let api: Server;
let frontend: RunningFrontend;
const held = new Set<ServerResponse>();
let answers = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-address-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
  api = createServer((_request, response) => {
    if (answers) return void response.end('{}');
    held.add(response);
    response.once('close', () => held.delete(response));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  answers = false;
  for (const response of held) response.destroy();
  await frontend.stop();
});

afterAll(async () => {
  api.closeAllConnections();
  api.close();
  await rm(folder, { recursive: true });
});

/** As the process starts, behind the ingresses that its environment names. */
async function startBehind(trustedProxies: string): Promise<void> {
  const env = {
    EXTERNAL_URL: 'https://svc.example.com',
    API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
    TRUSTED_PROXIES: trustedProxies,
    WEB_ROOT: folder,
  };
  const process = { host: '127.0.0.1', clock: systemClock, logger: silentLogger };
  frontend = await startFrontend({ ...optionsFrom(env), httpPort: 0, httpsPort: 0, ...process });
}

/** What an ingress on this machine passes on for somebody. */
function askFor(client: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'svc.example.com', 'x-forwarded-for': client };
    const options = { host: '127.0.0.1', port: frontend.httpPort, path: '/api/v1/branding', headers, agent: false };
    const asked = send(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end();
  });
}

const soon = { timeout: 60_000 };

/** One takes all that one client may have on the way of strangers, and finds that there is no more; what is then answered to another? */
async function besideOneWhoTakesAll(): Promise<number> {
  const { sockets, perSharer } = laneSizes.anonymous;
  const greedy = Array.from({ length: perSharer + 1 }, () => askFor('203.0.113.1'));
  for (const asked of greedy) asked.catch(() => {});
  expect(await Promise.any(greedy)).toBe(503);
  await expect.poll(() => held.size, soon).toBe(sockets);
  const other = askFor('203.0.113.2');
  // Whoever has a place waits behind the others; who has none hears of it before they do.
  const sentAway = await Promise.race([other, askFor('203.0.113.1')]);
  expect(sentAway).toBe(503);
  answers = true;
  for (const response of held) response.end('{}');
  return other;
}

describe('whom the frontend counts as one', () => {
  it.each([
    ['private_ranges', 200],
    ['10.0.0.0/8, 127.0.0.0/8', 200],
    ['', 503],
    ['10.0.0.0/8', 503],
  ])(
    'behind an ingress of ours, with TRUSTED_PROXIES %j: another client of it is answered %i',
    async (proxies, status) => {
      await startBehind(proxies);
      expect(await besideOneWhoTakesAll()).toBe(status);
    },
  );
});
