import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { MemoryStore } from '../../store/memory-store.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { BearerTokens } from '../access/bearer-tokens.ts';
import type { Identity } from '../access/identity.ts';
import type { ResourceRegistry } from '../kinds/resource-registry.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import type { WatchRoom } from '../verbs/watch-room.ts';
import type { LineStream } from './line-stream.ts';
import type { RequestInfo } from './request-info.ts';

/** What the verbs work with. */
export interface Services {
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly registry: ResourceRegistry;
  readonly watches: WatchRoom;
  readonly tokens: BearerTokens;
  readonly authorizer: Authorizer;
  readonly streamingLists: boolean;
}

/** One authorised request for a resource that exists. */
export interface Call {
  readonly services: Services;
  readonly type: ResourceType;
  readonly info: RequestInfo;
  readonly identity: Identity;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | LineStream;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

export function jsonResponse(status: number, text: string): ApiResponse {
  return { status, headers: JSON_HEADERS, body: text };
}

export function textResponse(status: number, text: string): ApiResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}
