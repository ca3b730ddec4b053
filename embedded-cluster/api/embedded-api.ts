import { Faults } from '../faults.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { Transport, TransportRequest, TransportResponse } from '../ports/transport.ts';
import { ApiError } from '../store/api-error.ts';
import { expireEvents } from '../store/event-expiry.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import { Authorizer } from './access/authorizer.ts';
import { BearerTokens } from './access/bearer-tokens.ts';
import { bootstrap } from './access/bootstrap-objects.ts';
import type { Identity } from './access/identity.ts';
import { ResourceRegistry } from './kinds/resource-registry.ts';
import { type ApiResponse, jsonResponse } from './request/call.ts';
import { LineStream } from './request/line-stream.ts';
import { RequestHandler } from './request/request-handler.ts';
import { WatchRoom } from './verbs/watch-room.ts';

export interface EmbeddedApiOptions {
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly random: Random;
  /** How often a watch that asked for bookmarks gets one; a minute, as a real apiserver has it. */
  readonly bookmarkIntervalMs?: number;
  /** The pace of bookmarks and of the lives of watches, where it is not the clock's own: a long simulation slows it. */
  readonly watchClock?: Clock;
  /** Whether a watch may ask for the list first; true unless said otherwise. */
  readonly streamingLists?: boolean;
}

export const ADMIN: Identity = { user: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** The REST API of the embedded cluster: one handler, reached in process or over HTTP. */
export class EmbeddedApi {
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly tokens: BearerTokens;
  readonly faults: Faults;
  readonly watches: WatchRoom;
  readonly #handler: RequestHandler;

  constructor({ store, clock, random, bookmarkIntervalMs, watchClock, streamingLists = true }: EmbeddedApiOptions) {
    this.store = store;
    this.clock = clock;
    this.tokens = new BearerTokens(clock, random);
    this.faults = new Faults(clock, store);
    this.watches = new WatchRoom(watchClock ?? clock, bookmarkIntervalMs);
    bootstrap(store);
    expireEvents(store, clock);
    const registry = new ResourceRegistry(store);
    const services = {
      store,
      clock,
      random,
      registry,
      watches: this.watches,
      tokens: this.tokens,
      authorizer: new Authorizer(store),
      streamingLists,
    };
    this.#handler = new RequestHandler(services, this.faults);
  }

  /** A client's way in, as this identity; without one, as an administrator. */
  transport(identity: Identity = ADMIN): Transport {
    const known = authenticated(identity);
    return { send: (request) => this.#send(request, known) };
  }

  /** Answers one request. Rejects only when a fault breaks the connection. */
  handle(request: TransportRequest, identity: Identity): Promise<ApiResponse> {
    return this.#handler.handle(request, identity).catch((error: unknown) => {
      if (error instanceof ApiError) return errorResponse(error);
      throw error;
    });
  }

  async #send(request: TransportRequest, identity: Identity): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    const response = await this.handle(request, identity);
    const { status, headers, body } = response;
    if (!(body instanceof LineStream)) return { status, headers, body: oneText(body) };
    closeOnAbort(body, request.signal);
    return { status, headers, body };
  }
}

/** Whoever is known is in this group, as the apiserver has it. */
function authenticated(identity: Identity): Identity {
  if (identity.groups.includes('system:authenticated') || identity.groups.includes('system:unauthenticated'))
    return identity;
  return { ...identity, groups: [...identity.groups, 'system:authenticated'] };
}

export function errorResponse(error: ApiError): ApiResponse {
  const response = jsonResponse(error.code, JSON.stringify(error.status()));
  const wait = error.details?.retryAfterSeconds;
  return wait === undefined ? response : { ...response, headers: { ...response.headers, 'retry-after': String(wait) } };
}

function closeOnAbort(stream: LineStream, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  const onAbort = () => stream.fail(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  stream.onClose(() => signal.removeEventListener('abort', onAbort));
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}
