import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../embedded-cluster/time/virtual-clock.ts';
import { selfSigned } from '../../../../test/support/self-signed.ts';
import { systemClock } from '../../../platform/system-clock.ts';
import type { TransportRequest, TransportResponse } from '../../../ports/transport.ts';
import { NoAnswer } from '../client/errors.ts';
import { type ClusterAccess, type Credential, fixedCredential, type Proof } from './credential.ts';
import { HttpsTransport } from './https-transport.ts';

const certificate = selfSigned(['localhost', '127.0.0.1', '::1']);
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  cleanUps.push(() => {
    server.close();
    (server as { closeAllConnections?: () => void }).closeAllConnections?.();
  });
  return (server.address() as AddressInfo).port;
}

const secure = (listener: RequestListener) =>
  createHttpsServer({ ...certificate, requestCert: true, rejectUnauthorized: false }, listener);

function transportTo(server: string, options: Partial<ClusterAccess> = {}, clock = systemClock): HttpsTransport {
  const access = {
    server,
    insecureSkipTlsVerify: false,
    credential: fixedCredential({}),
    namespace: 'default',
    ...options,
  };
  const transport = new HttpsTransport({ access, clock, connectTimeoutMs: 5_000 });
  cleanUps.push(() => transport.close());
  return transport;
}

async function textOf(response: TransportResponse): Promise<string> {
  let text = '';
  for await (const piece of response.body) text += Buffer.from(piece as Uint8Array).toString();
  return text;
}

const get: TransportRequest = { method: 'GET', path: '/version', headers: {} };
const echo = (request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    response.setHeader('X-Seen', 'yes');
    const { method, url, headers } = request;
    response.end(
      JSON.stringify({ method, url, body, authorization: headers.authorization, length: headers['content-length'] }),
    );
  });
};

describe('TLS', () => {
  it('trusts the authority it was given, sends method, path, body and token, and reads status and headers', async () => {
    const port = await listening(secure(echo));
    const credential = fixedCredential({ token: 'secret' });
    const transport = transportTo(`https://127.0.0.1:${port}/clusters/one/`, { ca: certificate.cert, credential });
    const response = await transport.send({ method: 'PATCH', path: '/api/v1/x?a=b', headers: {}, body: 'ä' });
    expect([response.status, response.headers['x-seen']]).toEqual([200, 'yes']);
    expect(JSON.parse(await textOf(response))).toEqual({
      method: 'PATCH',
      url: '/clusters/one/api/v1/x?a=b',
      body: 'ä',
      authorization: 'Bearer secret',
      length: '2',
    });
  });

  it('reaches an IPv6 address', async () => {
    const port = await listening(secure(echo), '::1');
    const response = await transportTo(`https://[::1]:${port}`, { ca: certificate.cert }).send(get);
    expect(response.status).toBe(200);
  });

  it('refuses a server it does not know, before anything was sent', async () => {
    let requests = 0;
    const port = await listening(secure(() => requests++));
    const error = await transportTo(`https://127.0.0.1:${port}`)
      .send(get)
      .catch((caught) => caught);
    expect(error).toBeInstanceOf(NoAnswer);
    expect(error.mayHaveReachedServer).toBe(false);
    expect(error.message).toMatch(/^No answer from https:\/\/127\.0\.0\.1:\d+: self-signed certificate/);
    expect(requests).toBe(0);
  });

  it('checks the name that it was told to expect', async () => {
    const port = await listening(secure(echo));
    const named = (tlsServerName: string) =>
      transportTo(`https://127.0.0.1:${port}`, { ca: certificate.cert, tlsServerName });
    expect((await named('localhost').send(get)).status).toBe(200);
    await expect(named('elsewhere').send(get)).rejects.toThrow("Host: elsewhere. is not in the cert's altnames");
  });

  it('takes any server only when it is told to', async () => {
    const port = await listening(secure(echo));
    expect((await transportTo(`https://127.0.0.1:${port}`, { insecureSkipTlsVerify: true }).send(get)).status).toBe(
      200,
    );
  });

  describe('with a client certificate', () => {
    const other = selfSigned(['client-two']);
    let proof: Proof;

    /** To a server that says whose certificate it was shown. */
    const asked = async () => {
      const port = await listening(
        secure((request, response) => {
          const subject =
            // The server of this test speaks TLS; the types of its requests say plain HTTP.
            (request.socket as unknown as { getPeerCertificate(): { subject?: { CN?: string } } }).getPeerCertificate();
          response.end(subject.subject?.CN);
        }),
      );
      proof = { certificate };
      const credential: Credential = { current: async () => proof, renew: async () => proof };
      return transportTo(`https://127.0.0.1:${port}`, { ca: certificate.cert, credential });
    };

    it('shows it, and a new one after it was renewed', async () => {
      const transport = await asked();
      expect(await textOf(await transport.send(get))).toBe('localhost');
      proof = { certificate: other };
      expect(await textOf(await transport.send(get))).toBe('client-two');
    });

    it('sends nothing while it does not fit its key, as in the middle of a rotation', async () => {
      const transport = await asked();
      expect(await textOf(await transport.send(get))).toBe('localhost');
      proof = { certificate: { cert: other.cert, key: certificate.key } };
      for (let time = 0; time < 2; time++) {
        const refused = await transport.send(get).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(NoAnswer);
        expect(refused).toMatchObject({ mayHaveReachedServer: false });
      }
      proof = { certificate: other };
      expect(await textOf(await transport.send(get))).toBe('client-two');
    });
  });
});

describe('401', () => {
  const tokenServer = async (accepted: string) => {
    const seen: (string | undefined)[] = [];
    const server = createHttpServer((request, response) => {
      seen.push(request.headers.authorization);
      response.statusCode = request.headers.authorization === `Bearer ${accepted}` ? 200 : 401;
      response.end('{}');
    });
    return { seen, server: `http://127.0.0.1:${await listening(server)}` };
  };
  const rotating = (...tokens: string[]): Credential => {
    let current = tokens[0] ?? '';
    return {
      current: async () => ({ token: current }),
      renew: async () => {
        tokens.shift();
        current = tokens[0] ?? current;
        return { token: current };
      },
    };
  };

  it('reads the credential again and sends once more', async () => {
    const { seen, server } = await tokenServer('new');
    const response = await transportTo(server, { credential: rotating('old', 'new') }).send({
      ...get,
      method: 'POST',
      body: '{}',
    });
    expect(response.status).toBe(200);
    expect(seen).toEqual(['Bearer old', 'Bearer new']);
  });

  it('is passed on when the credential is still the same, or is refused again', async () => {
    const { seen, server } = await tokenServer('never');
    expect((await transportTo(server, { credential: rotating('old') }).send(get)).status).toBe(401);
    expect((await transportTo(server, { credential: rotating('a', 'b', 'c') }).send(get)).status).toBe(401);
    expect(seen).toEqual(['Bearer old', 'Bearer a', 'Bearer b']);
  });
});

describe('no answer', () => {
  it('surely did not reach a port where nobody listens', async () => {
    const server = createTcpServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(transportTo(`http://127.0.0.1:${port}`).send(get)).rejects.toMatchObject({
      message: `No answer from http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
      mayHaveReachedServer: false,
    });
  });

  it('may have reached a server that hangs up', async () => {
    const server = createHttpServer((request) => request.socket.destroy());
    const port = await listening(server);
    await expect(
      transportTo(`http://127.0.0.1:${port}`).send({ ...get, method: 'PATCH', body: '{}' }),
    ).rejects.toMatchObject({
      mayHaveReachedServer: true,
    });
  });

  it('may have reached a server that hangs up on a connection used before', async () => {
    let requests = 0;
    const server = createHttpServer((request, response) => {
      if (++requests === 1) response.end('{}');
      else request.socket.destroy();
    });
    const transport = transportTo(`http://127.0.0.1:${await listening(server)}`);
    await textOf(await transport.send(get));
    await expect(transport.send(get)).rejects.toMatchObject({ mayHaveReachedServer: true });
  });

  it('gives up on a connection that does not come to stand, by the clock', async () => {
    const clock = new VirtualClock(0);
    const sockets: Socket[] = [];
    const accepted = Promise.withResolvers<void>();
    // Takes the connection and never says a word of TLS.
    const port = await listening(
      createTcpServer((socket) => {
        sockets.push(socket);
        accepted.resolve();
      }),
    );
    cleanUps.push(() => {
      for (const socket of sockets) socket.destroy();
    });
    const sent = transportTo(`https://127.0.0.1:${port}`, {}, clock)
      .send(get)
      .catch((error) => error);
    await accepted.promise;
    await clock.advance(5_000);
    expect(await sent).toMatchObject({
      message: `No answer from https://127.0.0.1:${port}: the connection did not stand within 5000 ms`,
      mayHaveReachedServer: false,
    });
  });

  it('is what an abort before sending comes to', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(transportTo('http://127.0.0.1:1').send({ ...get, signal })).rejects.toMatchObject({
      mayHaveReachedServer: false,
    });
  });
});

describe('streams', () => {
  it('gives the body while it comes, and an abort closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const server = createHttpServer((request, response) => {
      response.write('first\n');
      request.socket.once('close', () => closed.resolve());
    });
    const abort = new AbortController();
    const response = await transportTo(`http://127.0.0.1:${await listening(server)}`).send({
      ...get,
      signal: abort.signal,
    });
    const iterator = response.body[Symbol.asyncIterator]();
    expect(String((await iterator.next()).value)).toBe('first\n');
    abort.abort(new Error('enough'));
    await expect(iterator.next()).rejects.toThrow();
    await closed.promise;
  });

  it('survives an abort of a body that nobody reads', async () => {
    const closed = Promise.withResolvers<void>();
    const server = createHttpServer((request, response) => {
      response.write('first\n');
      request.socket.once('close', () => closed.resolve());
    });
    const abort = new AbortController();
    await transportTo(`http://127.0.0.1:${await listening(server)}`).send({ ...get, signal: abort.signal });
    abort.abort();
    await closed.promise;
  });

  it('uses a connection again', async () => {
    const sockets = new Set<unknown>();
    const server = createHttpServer((request, response) => {
      sockets.add(request.socket);
      response.end('{}');
    });
    const transport = transportTo(`http://127.0.0.1:${await listening(server)}`);
    for (let i = 0; i < 5; i++) await textOf(await transport.send(get));
    expect(sockets.size).toBe(1);
  });

  it('uses every connection again, however many were in use at one time', async () => {
    const sockets = new Set<unknown>();
    const waiting: ServerResponse[] = [];
    const server = secure((request, response) => {
      sockets.add(request.socket);
      // All at once: what is not kept then is closed.
      if (waiting.push(response) === 50) for (const one of waiting.splice(0)) one.end('{}');
    });
    const transport = transportTo(`https://127.0.0.1:${await listening(server)}`, { ca: certificate.cert });
    for (let wave = 0; wave < 4; wave++) {
      await Promise.all(Array.from({ length: 50 }, async () => textOf(await transport.send(get))));
    }
    expect(sockets.size).toBe(50);
  });
});
