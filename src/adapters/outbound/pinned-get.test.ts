import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from './http-client.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<number> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

const outbound = new HttpClient();
const limits = { timeoutMs: 300, maxBytes: 65_536 };

describe('an outbound GET', () => {
  it('connects to the given address and keeps the host of the URL', async () => {
    let host: string | undefined;
    const port = await serve((request, response) => {
      host = request.headers.host;
      response.writeHead(302, { location: '/next' }).end();
    });
    const url = new URL(`http://name.that.resolves.nowhere.example:${port}/x`);
    expect(await outbound.get({ url, address: '127.0.0.1', ...limits })).toEqual({ status: 302, location: '/next' });
    expect(host).toBe(`name.that.resolves.nowhere.example:${port}`);
  });

  it('stops reading after so many bytes', async () => {
    const port = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', more);
      more();
    });
    const url = new URL(`http://example.com:${port}/`);
    expect(await outbound.get({ url, address: '127.0.0.1', ...limits })).toEqual({ status: 200 });
  });

  it('gives up in time, also in the middle of an answer', async () => {
    const port = await serve((_request, response) => void response.writeHead(200).write('x'));
    const url = new URL(`http://example.com:${port}/`);
    const started = performance.now();
    await outbound.get({ url, address: '127.0.0.1', ...limits }).catch(() => {});
    expect(performance.now() - started).toBeLessThan(2_000);
    const silent = await serve(() => {});
    const quiet = new URL(`http://example.com:${silent}/`);
    await expect(outbound.get({ url: quiet, address: '127.0.0.1', ...limits })).rejects.toThrow(
      'no answer within 300 ms',
    );
  });

  it('sends through a proxy what it is told to', async () => {
    let target: string | undefined;
    const port = await serve((request, response) => {
      target = request.url;
      response.writeHead(200).end();
    });
    const url = new URL('http://outside.example.com/health');
    const proxy = new URL(`http://127.0.0.1:${port}`);
    expect(await outbound.get({ url, proxy, ...limits })).toEqual({ status: 200 });
    expect(target).toBe('http://outside.example.com/health');
  });

  it('refuses to resolve a name by itself', async () => {
    const sent = outbound.get({ url: new URL('http://example.com/'), ...limits });
    await expect(sent).rejects.toThrow('the address must be given');
  });
});
