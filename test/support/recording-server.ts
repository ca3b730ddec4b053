import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (request: RecordedRequest, response: ServerResponse) => void;

/** A web server that remembers what it got and answers as it is told. */
export class RecordingServer {
  readonly requests: RecordedRequest[] = [];
  answer: Answer = (_request, response) => response.end('1');
  readonly #server: Server;

  constructor() {
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method = '', url = '', headers } = incoming;
        const request = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
        this.requests.push(request);
        this.answer(request, response);
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
