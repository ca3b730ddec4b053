import type { Random } from '../ports/random.ts';
import type { TransportRequest } from '../ports/transport.ts';
import { isObject, type JsonObject, objectOf } from '../store/json-value.ts';
import { MemoryStore, type MemoryStoreOptions } from '../store/memory-store.ts';
import { VirtualClock } from '../time/virtual-clock.ts';
import type { Identity } from './access/identity.ts';
import { ADMIN, EmbeddedApi } from './embedded-api.ts';

/** A small seeded generator: the same run every time. */
export function seededRandom(seed = 1): Random {
  let state = seed;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return { next, bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)) };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: JsonObject;
  /** The message of a Status; empty for anything else. */
  readonly message: string;
}

export interface AskOptions {
  readonly as?: Identity;
  readonly type?: string;
  readonly accept?: string;
}

export const MERGE = { type: 'application/merge-patch+json' };
export const STRATEGIC = { type: 'application/strategic-merge-patch+json' };
export const JSON_PATCH = { type: 'application/json-patch+json' };

/** An embedded cluster on a virtual clock, Monday 5 January 2026 at 07:00 UTC, and short ways to ask it. */
export class EmbeddedApiFixture {
  readonly clock = new VirtualClock(Date.UTC(2026, 0, 5, 7));
  readonly store: MemoryStore;
  readonly api: EmbeddedApi;

  constructor(options: MemoryStoreOptions = {}) {
    const random = seededRandom();
    this.store = new MemoryStore(this.clock, random, options);
    this.api = new EmbeddedApi({ store: this.store, clock: this.clock, random });
  }

  async ask(
    method: TransportRequest['method'],
    path: string,
    body?: unknown,
    options: AskOptions = {},
  ): Promise<Answer> {
    const headers = {
      'user-agent': 'suite/1.0',
      ...(options.accept === undefined ? {} : { accept: options.accept }),
      ...(body === undefined ? {} : { 'content-type': options.type ?? 'application/json' }),
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const request = { method, path, headers, ...(body === undefined ? {} : { body: text }) };
    const response = await this.api.transport(options.as ?? ADMIN).send(request);
    let answer = '';
    for await (const piece of response.body) answer += piece;
    const parsed = response.headers['content-type']?.startsWith('application/json') ? objectOf(JSON.parse(answer)) : {};
    const message = parsed['kind'] === 'Status' ? String(parsed['message'] ?? '') : '';
    return { status: response.status, headers: response.headers, text: answer, body: parsed, message };
  }

  /** Opens a watch and hands out its events one by one. */
  async watch(path: string, options: AskOptions & { readonly signal?: AbortSignal } = {}): Promise<WatchReader> {
    const { signal } = options;
    const request = { method: 'GET' as const, path, headers: {}, ...(signal === undefined ? {} : { signal }) };
    const response = await this.api.transport(options.as ?? ADMIN).send(request);
    return new WatchReader(response.body);
  }
}

export interface WatchEvent {
  readonly type: string;
  readonly name: string;
  readonly object: JsonObject;
}

export class WatchReader {
  readonly #pieces: AsyncIterator<Uint8Array | string>;
  #lines: string[] = [];

  constructor(body: AsyncIterable<Uint8Array | string>) {
    this.#pieces = body[Symbol.asyncIterator]();
  }

  /** The next event; undefined when the watch has ended. */
  async next(): Promise<WatchEvent | undefined> {
    while (this.#lines.length === 0) {
      const { done, value } = await this.#pieces.next();
      if (done === true) return undefined;
      this.#lines = String(value)
        .split('\n')
        .filter((line) => line !== '');
    }
    const { type, object } = objectOf(JSON.parse(this.#lines.shift()!));
    const metadata = objectOf(objectOf(object)['metadata']);
    return { type: String(type), name: String(metadata['name'] ?? ''), object: isObject(object) ? object : {} };
  }

  /** The next events as `TYPE name`. */
  async take(count: number): Promise<readonly string[]> {
    const events: string[] = [];
    for (let i = 0; i < count; i++) {
      const event = await this.next();
      events.push(event === undefined ? 'END' : `${event.type} ${event.name}`.trim());
    }
    return events;
  }
}

export function configMap(
  name: string,
  labels: Readonly<Record<string, string>> = {},
  data: JsonObject = {},
): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data };
}

export function deployment(name: string, spec: JsonObject = {}): JsonObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'registry.test/main:1' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: labels }, template, ...spec },
  };
}
