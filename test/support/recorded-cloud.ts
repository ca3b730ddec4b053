import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';

export interface RecordedRequest {
  /** The name of the call: `StopDBInstance`, `GetCostAndUsage`. */
  readonly call: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface RecordedAnswer {
  readonly status?: number;
  readonly body: string;
}

type Answers = (request: RecordedRequest, earlier: number) => RecordedAnswer;

/** Credentials that are easy to find if they leak. */
export const canaryCredentials = {
  AWS_ACCESS_KEY_ID: 'AKIACANARYCANARY0001',
  AWS_SECRET_ACCESS_KEY: 'canary/secret+access-key-0123456789abcdef',
  AWS_SESSION_TOKEN: 'canary-session-token-0123456789abcdef==',
} as const;

/** A server that gives the answers a test has recorded, and remembers what it was asked. */
export class RecordedCloud {
  readonly requests: RecordedRequest[] = [];
  /** Hosts that were asked for by CONNECT: this server acts as a proxy then, and lets nothing through. */
  readonly tunnels: string[] = [];
  answer: Answers = () => ({ status: 500, body: '' });
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      void readBody(request).then((body) => {
        const recorded = recordedRequest(request, body);
        const earlier = this.requests.filter(({ call }) => call === recorded.call).length;
        this.requests.push(recorded);
        const { status = 200, body: text } = this.answer(recorded, earlier);
        response.writeHead(status, {
          'content-type': text.startsWith('<') ? 'text/xml' : 'application/x-amz-json-1.1',
        });
        response.end(text);
      });
    });
    this.#server.on('connect', (request, socket) => {
      this.tunnels.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
    });
  }

  async start(): Promise<string> {
    Object.assign(process.env, canaryCredentials, { AWS_EC2_METADATA_DISABLED: 'true' });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** An error as the query protocol of the database service sends it. */
export function queryError(code: string, message: string, status = 400): RecordedAnswer {
  return {
    status,
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
  };
}

/** An error as the JSON protocol of the other services sends it. */
export function jsonError(code: string, message: string, status = 400): RecordedAnswer {
  return { status, body: JSON.stringify({ __type: code, message, Message: message }) };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

function recordedRequest({ url = '', headers }: IncomingMessage, body: string): RecordedRequest {
  const target = String(headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1);
  return { call: target || (new URLSearchParams(body).get('Action') ?? ''), url, headers, body };
}
