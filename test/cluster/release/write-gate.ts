import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { serviceAccountFolderVariable } from '../../../src/adapters/kubernetes/transport/in-cluster.ts';
import { selfSigned } from '../../support/self-signed.ts';
import type { ServiceAccountIdentity } from '../harness/service-account.ts';

export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * Where a write stands: `asked` has not reached the apiserver, `done` was answered by it and the answer is held back,
 * `answered` is told to the client.
 */
export type Moment = 'asked' | 'done' | 'answered';

/** Hears of every write three times, and may hold it back; `drop` ends the client's connection there. */
export type OnWrite = (write: Write, moment: Moment) => 'go' | 'drop' | Promise<'go' | 'drop'>;

/** Stands between a process and the apiserver: sees each write, and can cut the process off in the middle of one. */
export class WriteGate {
  readonly #server: Server;
  readonly #upstream: { readonly url: URL; readonly agent: Agent };
  readonly #folder: string;
  readonly writes: Write[] = [];
  onWrite: OnWrite = () => 'go';

  private constructor(server: Server, upstream: { url: URL; agent: Agent }, folder: string) {
    this.#server = server;
    this.#upstream = upstream;
    this.#folder = folder;
  }

  /** A gate for one account; `environment` makes a process go through it with the account's token. */
  static async open(account: ServiceAccountIdentity): Promise<WriteGate> {
    const certificate = selfSigned(['127.0.0.1', 'localhost']);
    const { server, ca } = account.access;
    const agent = new Agent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) });
    const folder = await mkdtemp(join(tmpdir(), 'svc-gate-'));
    const namespace = account.access.namespace;
    for (const [name, text] of Object.entries({ token: account.token, 'ca.crt': certificate.cert, namespace })) {
      await writeFile(join(folder, name), text, { mode: 0o600 });
    }
    const gate: WriteGate = new WriteGate(
      createServer(certificate, (incoming, outgoing) => {
        gate.#pass(incoming, outgoing).catch(() => outgoing.destroy());
      }),
      { url: new URL(server), agent },
      folder,
    );
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String((this.#server.address() as AddressInfo).port),
      [serviceAccountFolderVariable]: this.#folder,
    };
  }

  /** Ends every connection, watches included: whoever wants one has to ask anew, with the rights of now. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    this.#upstream.agent.destroy();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    const method = incoming.method ?? 'GET';
    if (method === 'GET') return this.#stream(incoming, outgoing);
    const body = await buffer(incoming);
    const write: Write = { method, path: incoming.url ?? '/', body: body.toString('utf8') };
    if ((await this.onWrite(write, 'asked')) === 'drop') return void outgoing.destroy();
    const answer = await this.#ask(incoming, body);
    const text = await buffer(answer);
    this.writes.push(write);
    if ((await this.onWrite(write, 'done')) === 'drop') return void outgoing.destroy();
    outgoing.writeHead(answer.statusCode ?? 502, headersOf(answer));
    outgoing.end(text, () => void this.onWrite(write, 'answered'));
  }

  /** Reads and watches go through as they come. */
  async #stream(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const answer = await this.#ask(incoming, undefined);
    answer.on('error', () => outgoing.destroy());
    outgoing.on('close', () => answer.destroy());
    outgoing.writeHead(answer.statusCode ?? 502, headersOf(answer));
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  }

  #ask(incoming: IncomingMessage, body: Buffer | undefined): Promise<IncomingMessage> {
    const { url, agent } = this.#upstream;
    return new Promise((resolve, reject) => {
      const { host: _host, connection: _connection, ...headers } = incoming.headers;
      const asked = request(new URL(incoming.url ?? '/', url), { agent, method: incoming.method, headers });
      asked.on('response', resolve);
      asked.on('error', reject);
      asked.end(body);
    });
  }
}

function headersOf(answer: IncomingMessage): Record<string, string | string[]> {
  const { connection: _connection, 'transfer-encoding': _encoding, ...headers } = answer.headers;
  return Object.fromEntries(Object.entries(headers).filter((entry) => entry[1] !== undefined)) as Record<
    string,
    string | string[]
  >;
}
