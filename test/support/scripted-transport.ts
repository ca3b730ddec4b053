import type { Transport, TransportRequest, TransportResponse } from '../../src/ports/transport.ts';

export type Answer = (request: TransportRequest) => TransportResponse | Promise<TransportResponse>;

/** Answers by a script, remembers every request, and says so when it is asked for more than the script holds. */
export class ScriptedTransport implements Transport {
  readonly requests: TransportRequest[] = [];
  readonly #script: Answer[] = [];

  answer(...answers: readonly Answer[]): this {
    this.#script.push(...answers);
    return this;
  }

  get left(): number {
    return this.#script.length;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request);
    const answer = this.#script.shift();
    if (answer === undefined) throw new Error(`The script has no answer for ${request.method} ${request.path}`);
    return answer(request);
  }
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return () => ({ status, headers, body: pieces(JSON.stringify(value)) });
}

export function text(status: number, body: string): Answer {
  return () => ({ status, headers: {}, body: pieces(body) });
}

/** A Kubernetes Status. */
export function refusal(
  code: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, headers);
}

export function failing(error: unknown): Answer {
  return () => Promise.reject(error);
}

/** Never answers; gives up when it is aborted. */
export const silent: Answer = (request) =>
  new Promise((_, reject) => {
    request.signal?.addEventListener('abort', () => reject(request.signal?.reason), { once: true });
  });

async function* pieces(body: string): AsyncGenerator<string> {
  yield body;
}

/** The far end of a watch: events are sent by hand, and the near end hears of an abort as over a broken socket. */
export class WatchEnd {
  #queue: string[] = [];
  #wake: () => void = () => {};
  #ended = false;
  #failure: unknown;

  readonly answer: Answer = (request) => {
    request.signal?.addEventListener('abort', () => this.fail(request.signal?.reason), { once: true });
    return { status: 200, headers: {}, body: this.body() };
  };

  send(type: string, object: unknown): this {
    this.#queue.push(`${JSON.stringify({ type, object })}\n`);
    this.#wake();
    return this;
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake();
  }

  async *body(): AsyncGenerator<string> {
    for (;;) {
      const next = this.#queue.shift();
      if (next !== undefined) yield next;
      else if (this.#failure !== undefined) throw this.#failure;
      else if (this.#ended) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
