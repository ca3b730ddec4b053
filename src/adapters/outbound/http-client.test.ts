import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingServer } from '../../../test/support/recording-server.ts';
import { selfSigned } from '../../../test/support/self-signed.ts';
import { isGlobalAddress } from '../../platform/global-address.ts';
import { HttpClient } from './http-client.ts';

const server = new RecordingServer();
let base = '';
beforeEach(async () => {
  server.requests.length = 0;
  server.answer = (_request, response) => response.end('1');
  base = await server.listen();
});
afterEach(() => server.close());

const anywhere = { allowed: () => true };
const never = new AbortController().signal;
const post = (url: string, more: object = {}) =>
  ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"a":1}'),
    ...more,
  }) as const;

describe('a request to the outside', () => {
  it('carries method, headers and body, and brings status and text back', async () => {
    server.answer = (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end('slow down');
    expect(await new HttpClient(anywhere).send(post(`${base}/hook?x=1`), never)).toEqual({
      status: 429,
      retryAfterMs: 7_000,
      text: 'slow down',
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/hook?x=1', body: '{"a":1}' });
  });

  it('goes through the proxy, which resolves the name', async () => {
    const client = new HttpClient({ resolve: async () => Promise.reject(new Error('unknown here')) });
    const answer = await client.send(post('http://hooks.example.net/x', { proxy: base }), never);
    expect(answer.status).toBe(200);
    expect(server.requests[0]!.url).toBe('http://hooks.example.net/x');
  });

  it('goes through a tunnel of the proxy where it is encrypted, and checks who is at the other end', async () => {
    const { cert, key } = selfSigned(['hooks.example.net']);
    const target = createTlsServer({ cert, key }, (_request, response) => void response.end('hello'));
    const tunnels: string[] = [];
    const proxy = createHttpServer().on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      const onward = connect((target.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
    });
    const listen = (one: Server) => new Promise<void>((resolve) => void one.listen(0, '127.0.0.1', resolve));
    await Promise.all([listen(target), listen(proxy)]);
    const via = { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const resolve = async () => ['93.184.215.14'];
    const sent = await new HttpClient({ resolve, ca: cert }).send(post('https://hooks.example.net/x', via), never);
    expect([sent, tunnels]).toEqual([{ status: 200, text: 'hello' }, ['hooks.example.net:443']]);
    await expect(new HttpClient({ resolve }).send(post('https://hooks.example.net/x', via), never)).rejects.toThrow(
      'no answer came (DEPTH_ZERO_SELF_SIGNED_CERT)',
    );
    target.closeAllConnections();
    target.close();
    proxy.close();
  });

  it('follows no redirect', async () => {
    server.answer = (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    expect((await new HttpClient(anywhere).send(post(base), never)).status).toBe(302);
    expect(server.requests).toHaveLength(1);
  });

  it('reads no more than 64 KiB of an answer', async () => {
    server.answer = (_request, response) => response.end('x'.repeat(5_000_000));
    expect((await new HttpClient(anywhere).send(post(base), never)).text).toHaveLength(65_536);
  });

  it('ends when it is given up, and says so without the address', async () => {
    server.answer = () => {};
    const abort = new AbortController();
    const sent = new HttpClient(anywhere).send(post(base), abort.signal);
    abort.abort(new Error('no answer within 30 s'));
    await expect(sent).rejects.toThrow(/^no answer within 30 s$/);
  });

  it('that finds nobody says so without the address', async () => {
    await expect(new HttpClient(anywhere).send(post('http://127.0.0.1:1/secret'), never)).rejects.toThrow(
      /^no answer came \(ECONNREFUSED\)$/,
    );
  });

  it('connects to the address that was checked, though the name has another one by then', async () => {
    let asked = 0;
    const client = new HttpClient({
      ...anywhere,
      resolve: async () => (++asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']),
    });
    await client.send(post(`http://rebinding.example.net:${server.port}/`), never);
    expect([asked, server.requests.length]).toEqual([1, 1]);
  });

  it('asks for the name of fifty destinations at one host once', async () => {
    let asked = 0;
    const client = new HttpClient({ ...anywhere, resolve: async () => [`127.0.0.${++asked}`] });
    const url = `http://hooks.example.net:${server.port}/`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.send(post(url), never)));
    expect([asked, answers.map(({ status }) => status)]).toEqual([1, Array(50).fill(200)]);
  });

  it('goes nowhere when one of several addresses is not global', async () => {
    const client = new HttpClient({ resolve: async () => ['93.184.215.14', '10.0.0.1'] });
    await expect(client.send(post('https://mixed.example.net/'), never)).rejects.toThrow(
      'the address is not one that may be reached',
    );
  });
});

/** Hosts that an address in the configuration, or a redirect, might name to reach the inside. */
const refusedHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '169.254.170.2',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[2001:10::1]',
  '[3fff::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[::ffff:0:127.0.0.1]',
  '[5f00::1]',
  '[4000::1]',
  '[2001:20::1]',
  '①②⑦.0.0.1',
];

describe('hosts that must be refused', () => {
  it('are sixty', () => expect(refusedHosts).toHaveLength(60));

  it.each(refusedHosts)('%s', async (host) => {
    const reached: string[] = [];
    const resolve = async (name: string) => {
      reached.push(name);
      return [];
    };
    const client = new HttpClient({ resolve });
    await expect(client.send(post(`http://${host}:${server.port}/`), never)).rejects.toThrow(
      'the address is not one that may be reached',
    );
    await expect(client.send(post(`http://${host}/`, { proxy: base }), never)).rejects.toThrow(
      'the address is not one that may be reached',
    );
    expect([reached, server.requests]).toEqual([[], []]);
  });

  it.each(['localhost', 'metadata.google.internal', 'kubernetes.default.svc', 'rebind.example.net'])(
    '%s, when it resolves to the inside',
    async (host) => {
      const client = new HttpClient({ resolve: async () => ['127.0.0.1'] });
      await expect(client.send(post(`http://${host}:${server.port}/`), never)).rejects.toThrow(
        'the address is not one that may be reached',
      );
    },
  );

  it.each(['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://example.net/', 'javascript:alert(1)', '//x', ''])(
    '%j, which is no web address',
    async (url) => {
      await expect(new HttpClient(anywhere).send(post(url), never)).rejects.toThrow(
        'the address is neither http nor https',
      );
    },
  );

  it.each([
    '1.1.1.1',
    '93.184.215.14',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('but %s is global', (address) => expect(isGlobalAddress(address)).toBe(true));
});
