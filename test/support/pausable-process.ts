import type { Clock } from '../../src/ports/clock.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../src/ports/transport.ts';

/**
 * What a process sees that can be stopped like one under SIGSTOP: time goes on and what it has sent arrives, but no timer
 * fires and no answer is read until it is continued.
 */
export class PausableProcess {
  readonly clock: Clock;
  readonly transport: Transport;
  #paused: Promise<void> | undefined;
  #continue = () => {};

  constructor(clock: Clock, transport: Transport) {
    this.clock = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (ms, run) => this.#after(clock, ms, run),
    };
    this.transport = { send: (request) => this.#send(transport, request) };
  }

  pause(): void {
    this.#paused = new Promise((resolve) => {
      this.#continue = resolve;
    });
  }

  continue(): void {
    this.#paused = undefined;
    this.#continue();
  }

  #after(clock: Clock, ms: number, run: () => void): () => void {
    let cancelled = false;
    const cancel = clock.after(ms, () => {
      void this.#running().then(() => {
        if (!cancelled) run();
      });
    });
    return () => {
      cancelled = true;
      cancel();
    };
  }

  async #send(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
    await this.#running();
    try {
      const response = await transport.send(request);
      return { ...response, body: this.#readable(response.body) };
    } finally {
      await this.#running();
    }
  }

  async *#readable(body: TransportResponse['body']): TransportResponse['body'] {
    for await (const piece of body) {
      await this.#running();
      yield piece;
    }
  }

  async #running(): Promise<void> {
    while (this.#paused !== undefined) await this.#paused;
  }
}
