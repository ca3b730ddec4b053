import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { resetConnections } from '../../test/support/resetting-stranger.ts';
import { serveHealth, serveMetrics } from './health-server.ts';

const servers: Readonly<Record<string, () => Promise<Server>>> = {
  'of probes': () => serveHealth(0, { alive: () => true, ready: () => ({ ready: true }) }),
  'of metrics': () => serveMetrics(0, async () => ({ contentType: 'text/plain', text: 'up 1\n' })),
};

describe('a connection that is reset, whatever was said on it', () => {
  for (const [title, serve] of Object.entries(servers)) {
    it(`is nothing to the server ${title}`, async () => {
      const server = await serve();
      try {
        expect(await resetConnections((server.address() as AddressInfo).port)).toEqual([]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  }
});
