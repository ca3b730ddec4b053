import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Clock } from '../../../ports/clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../../ports/transport.ts';
import { NoAnswer } from '../client/errors.ts';
import type { ClusterAccess, Proof } from './credential.ts';

export interface HttpsTransportOptions {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  /** For the connection to stand, TLS included. */
  readonly connectTimeoutMs?: number;
}

const defaultConnectTimeoutMs = 10_000;
/** Shorter than the 90 seconds after which an apiserver closes an idle connection, so that it is never us who lose the race. */
const idleSocketMs = 45_000;
/** As many as anybody may write at one time: with fewer a burst of answers closes connections that the next writes open anew. */
const idleSockets = 1_000;

/** HTTP/1.1 over node:https, which costs some 20 MiB less than fetch. Plain http:// works too, for local servers. */
export class HttpsTransport implements Transport {
  readonly #options: HttpsTransportOptions;
  readonly #server: Server;
  #agent: HttpAgent | undefined;
  #agentCertificate: Proof['certificate'];

  constructor(options: HttpsTransportOptions) {
    this.#options = options;
    this.#server = serverAt(new URL(options.access.server));
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { credential } = this.#options.access;
    const proof = await credential.current();
    const response = await this.#exchange(request, proof);
    if (response.statusCode !== 401) return answerOf(response);
    // The credential may have been rotated since it was read; a 401 was refused before anything was done.
    const renewed = await credential.renew();
    if (isSame(proof, renewed)) return answerOf(response);
    response.destroy();
    return answerOf(await this.#exchange(request, renewed));
  }

  /** Closes the idle connections; the ones in use end with their requests. */
  close(): void {
    this.#agent?.destroy();
  }

  #exchange(request: TransportRequest, proof: Proof): Promise<IncomingMessage> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(notSent(this.#server, signal.reason));
        return;
      }
      let outgoing: ClientRequest;
      try {
        outgoing = this.#open(request, proof);
      } catch (error) {
        reject(notSent(this.#server, error));
        return;
      }
      const connection = new Connecting(outgoing, this.#options);
      const onAbort = () => outgoing.destroy(asError(signal?.reason));
      signal?.addEventListener('abort', onAbort, { once: true });
      outgoing.on('response', (response) => {
        // Whoever reads the body sees the failure; without a reader it must not end the process.
        response.on('error', () => {});
        response.once('close', () => signal?.removeEventListener('abort', onAbort));
        resolve(response);
      });
      outgoing.on('error', (error) => {
        connection.end();
        signal?.removeEventListener('abort', onAbort);
        reject(failed(this.#server, error, connection.stood));
      });
      outgoing.end(request.body);
    });
  }

  #open(request: TransportRequest, proof: Proof): ClientRequest {
    const { secure, authority, host, port, pathPrefix } = this.#server;
    // As a list, which goes out as it is: Node would make five objects of each name that it has to look after.
    const headers = ['Host', authority];
    for (const name in request.headers) headers.push(name, request.headers[name]!);
    if (proof.token !== undefined) headers.push('authorization', `Bearer ${proof.token}`);
    if (request.body !== undefined) headers.push('content-length', String(Buffer.byteLength(request.body)));
    return (secure ? httpsRequest : httpRequest)({
      agent: this.#agentFor(proof),
      host,
      port,
      method: request.method,
      path: pathPrefix + request.path,
      headers,
    });
  }

  /** One agent for as long as the client certificate stays the same. */
  #agentFor(proof: Proof): HttpAgent {
    const same =
      this.#agentCertificate?.cert === proof.certificate?.cert &&
      this.#agentCertificate?.key === proof.certificate?.key;
    if (this.#agent !== undefined && same) return this.#agent;
    // A certificate that does not fit its key, as in the middle of a rotation, fails here: the next request tries anew.
    const agent = this.#newAgent(proof);
    this.#agent?.destroy();
    this.#agent = agent;
    this.#agentCertificate = proof.certificate;
    return agent;
  }

  #newAgent({ certificate }: Proof): HttpAgent {
    const { access } = this.#options;
    const pool = { keepAlive: true, maxFreeSockets: idleSockets, timeout: idleSocketMs };
    if (!this.#server.secure) return new HttpAgent(pool);
    const agent = new HttpsAgent({
      ...pool,
      rejectUnauthorized: !access.insecureSkipTlsVerify,
      // Made once: reading the certificates is most of what a connection costs us.
      secureContext: createSecureContext({ ...(access.ca === undefined ? {} : { ca: access.ca }), ...certificate }),
      ...(access.tlsServerName === undefined ? {} : { servername: access.tlsServerName }),
    });
    // By name it tells connections to different servers apart, and makes it anew of twenty options for every request: there is one.
    agent.getName = () => this.#server.authority;
    return agent;
  }
}

/** What a request needs of the server's address, read once: a URL takes it apart at each question. */
interface Server {
  readonly secure: boolean;
  readonly origin: string;
  /** With the port. */
  readonly authority: string;
  readonly host: string;
  readonly port: string | number;
  readonly pathPrefix: string;
}

function serverAt({ protocol, origin, host, hostname, port, pathname }: URL): Server {
  const secure = protocol === 'https:';
  return {
    secure,
    origin,
    authority: host,
    // Node wants an IPv6 address without its brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || (secure ? 443 : 80),
    pathPrefix: pathname.replace(/\/+$/, ''),
  };
}

/**
 * Watches a connection come about: until it stands, nothing of the request can have reached the server. Most requests go out on one
 * that stands already, and are given no timer.
 */
class Connecting {
  stood = false;
  #cancelTimer: () => void = () => {};

  constructor(outgoing: ClientRequest, options: HttpsTransportOptions) {
    outgoing.once('socket', (socket: Socket) => {
      if (outgoing.reusedSocket) this.#stands();
      else this.#watch(outgoing, socket, options);
    });
  }

  end(): void {
    this.#cancelTimer();
  }

  #watch(outgoing: ClientRequest, socket: Socket, { clock, connectTimeoutMs }: HttpsTransportOptions): void {
    const timeoutMs = connectTimeoutMs ?? defaultConnectTimeoutMs;
    this.#cancelTimer = clock.after(timeoutMs, () => {
      outgoing.destroy(new Error(`the connection did not stand within ${timeoutMs} ms`));
    });
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => this.#stands());
  }

  #stands(): void {
    this.stood = true;
    this.#cancelTimer();
  }
}

function answerOf(response: IncomingMessage): TransportResponse {
  return {
    status: response.statusCode ?? 0,
    // Node sorts them when they are asked for: of a good answer nobody does.
    get headers() {
      return headersOf(response);
    },
    body: response,
  };
}

function headersOf(response: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

function failed(server: Server, error: Error, mayHaveReachedServer: boolean): NoAnswer {
  return new NoAnswer(`No answer from ${server.origin}: ${error.message}`, { mayHaveReachedServer, cause: error });
}

function notSent(server: Server, reason: unknown): NoAnswer {
  return failed(server, asError(reason), false);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason ?? 'aborted'));
}

function isSame(a: Proof, b: Proof): boolean {
  return (
    a.token === b.token && a.certificate?.cert === b.certificate?.cert && a.certificate?.key === b.certificate?.key
  );
}
