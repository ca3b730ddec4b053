import type { TransportRequest } from '../../../ports/transport.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Sent once, whatever the answer: for callers that keep a pace of their own. */
  readonly once?: boolean;
}

export interface SelectOptions {
  /** All namespaces when left out. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface GetOptions extends CallOptions {
  readonly subresource?: string;
}

export interface ListOptions extends CallOptions, SelectOptions {
  /** Objects asked for at a time; 100 when left out. */
  readonly pageSize?: number;
}

export interface WriteOptions extends CallOptions {
  readonly subresource?: string;
  /** The whole way through admission, and nothing stored. */
  readonly dryRun?: boolean;
  /** Another field manager than the client's own. */
  readonly fieldManager?: string;
  /** The answer is read without its managedFields, often most of its text: for who looks at none of them. */
  readonly withoutManagedFields?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  /** The cluster refuses with 409 when the object is not this one any more. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

export interface WatchOptions extends SelectOptions {
  readonly signal: AbortSignal;
  /** Events after this version; left out only with `sendInitialEvents`. */
  readonly resourceVersion?: string;
  /** The server ends the watch after this time. */
  readonly timeoutSeconds: number;
  /** A streaming list: every object as ADDED, then a bookmark that says so, then changes. */
  readonly sendInitialEvents?: boolean;
}

type JsonPatch = readonly (
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }
)[];

export type Patch =
  | { readonly type: 'json'; readonly operations: JsonPatch }
  | { readonly type: 'merge' | 'strategic'; readonly body: object }
  /** Server-side apply; `force` takes fields over from other managers. */
  | { readonly type: 'apply'; readonly body: object; readonly force?: boolean };

const patchContentTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is YAML, and the server takes apply under this name since the first release that has it.
  apply: 'application/apply-patch+yaml',
};

export interface RequestBody {
  readonly contentType: string;
  readonly text: string;
}

export function jsonBody(value: unknown): RequestBody {
  return { contentType: 'application/json', text: JSON.stringify(value) };
}

export function patchBody(patch: Patch): RequestBody {
  const value = patch.type === 'json' ? patch.operations : patch.body;
  return { contentType: patchContentTypes[patch.type], text: JSON.stringify(value) };
}

export type QueryValue = string | number | boolean | undefined;

export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== false && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

export type Method = TransportRequest['method'];
