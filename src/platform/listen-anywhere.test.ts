import { type AddressInfo, createServer } from 'node:net';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { listenAnywhere } from './listen-anywhere.ts';

/** Stands for `::` on a kernel without IPv6: an address that no socket here can have. */
const noAddress = '2001:db8::1';

describe('a server for every interface', () => {
  it('listens on IPv4 where there is no IPv6', async () => {
    const app = fastify();
    await listenAnywhere((host) => app.listen({ port: 0, host: host === '::' ? noAddress : host }));
    const { address, family } = app.server.address() as AddressInfo;
    expect([address, family]).toEqual(['0.0.0.0', 'IPv4']);
    await app.close();
  });

  it('does not hide a port that is taken', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, resolve));
    const { port } = taken.address() as AddressInfo;
    const hosts: string[] = [];
    const app = fastify();
    const listening = listenAnywhere((host) => {
      hosts.push(host);
      return app.listen({ port, host });
    });
    await expect(listening).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(hosts).toHaveLength(1);
    await app.close();
    await new Promise((resolve) => taken.close(resolve));
  });
});
