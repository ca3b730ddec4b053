import { request } from 'node:http';
import { withoutLineEnd } from '../../platform/process-environment.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Off } from '../../ports/off.ts';
import type { Frame, FrameSink } from '../../ports/sinks.ts';

const timeoutMs = 2_000;
const mostWaiting = 100;
const otherSecret =
  'internal-api-secret is not the same for the controller and the api; restart the one that started before it was changed';

/**
 * Sends frames to the api beside us. One request at a time; while it runs, a newer frame of a kind replaces an older one
 * that still waits, so a slow or absent api costs neither memory nor time.
 */
class InternalFrames implements FrameSink {
  readonly #url: URL;
  readonly #secret: string;
  readonly #logger: Logger;
  readonly #waiting = new Map<string, Frame>();
  #sending = false;
  #count = 0;
  /** The status with which the last frame was refused. */
  #refusedWith: number | undefined;

  constructor(url: URL, secret: string, logger: Logger) {
    this.#url = url;
    this.#secret = secret;
    this.#logger = logger;
  }

  send(frame: Frame): void {
    if (this.#waiting.size < mostWaiting) this.#waiting.set(keyOf(frame, ++this.#count), frame);
    if (!this.#sending) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#sending = true;
    for (let entry = this.#next(); entry !== undefined; entry = this.#next()) {
      await this.#post(entry).catch((error: unknown) => {
        this.#logger.debug('A frame did not reach the api', { kind: entry?.kind, error: String(error) });
      });
    }
    this.#sending = false;
  }

  /** An api that is away comes back by itself; one that refuses us has to be told about. Once: frames are many. */
  #heard(status: number): void {
    const refused = status >= 400 ? status : undefined;
    if (refused !== undefined && refused !== this.#refusedWith) {
      this.#logger.warn('The api refuses frames', { status, ...(status === 401 ? { hint: otherSecret } : {}) });
    }
    this.#refusedWith = refused;
  }

  #next(): Frame | undefined {
    const first = this.#waiting.entries().next().value;
    if (first === undefined) return undefined;
    this.#waiting.delete(first[0]);
    return first[1];
  }

  #post(frame: Frame): Promise<void> {
    const body = JSON.stringify(frame);
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#url, {
        method: 'POST',
        timeout: timeoutMs,
        headers: {
          authorization: `Bearer ${this.#secret}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      });
      outgoing.on('response', (response) => {
        response.resume();
        this.#heard(response.statusCode ?? 0);
        response.on('end', resolve);
        response.on('error', reject);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

/**
 * Audit entries are each their own news; of the other kinds only the newest state matters. A transition that ends and the
 * one that takes over are two things: the end of the first must not be lost to the beginning of the second.
 */
function keyOf({ kind, payload }: Frame, count: number): string {
  if (kind === 'audit') return `audit ${count}`;
  const id = (payload as { readonly progress?: { readonly id?: unknown } } | null)?.progress?.id;
  return kind === 'transition' ? `transition ${String(id)}` : kind;
}

/** Off when the environment names no api or no secret: then nobody listens. */
export function internalFrames(env: Readonly<Record<string, string | undefined>>, logger: Logger): FrameSink | Off {
  const { API_URL: url } = env;
  const secret = withoutLineEnd(env['INTERNAL_API_SECRET'] ?? '');
  if (!url) return { off: 'API_URL is not set' };
  if (secret === '') return { off: 'INTERNAL_API_SECRET is not set' };
  return new InternalFrames(new URL('/api/v1/internal/frames', url), secret, logger);
}
