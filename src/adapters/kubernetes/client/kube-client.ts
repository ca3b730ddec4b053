import type { TransportResponse } from '../../../ports/transport.ts';
import { parseObject } from '../json/json-text.ts';
import { ListSplitter } from '../json/list-splitter.ts';
import { ApiCaller, type ApiCallerOptions } from './api-call.ts';
import { ApiStatusError } from './errors.ts';
import { readBytes } from './read-bytes.ts';
import {
  type CallOptions,
  type DeleteOptions,
  type GetOptions,
  jsonBody,
  type ListOptions,
  type Method,
  type Patch,
  patchBody,
  type RequestBody,
  type WatchOptions,
  type WriteOptions,
  withQuery,
} from './request-options.ts';
import { collectionPath, type ObjectRef, objectPath, type ResourceType } from './resource-type.ts';
import { type Answered, type KnownEvent, type WatchEvent, watchEvents } from './watch-events.ts';

export interface KubeClientOptions extends ApiCallerOptions {
  /** Owns the fields that this client writes. */
  readonly fieldManager: string;
}

export interface Page<R> {
  readonly items: readonly R[];
  /** The version that the whole list, all its pages, stands for. */
  readonly resourceVersion: string;
}

const defaultPageSize = 100;
const listRestarts = 3;

/**
 * The Kubernetes API over any transport. Reads are retried; a write is sent again only when it surely was not
 * performed. A refusal is an ApiStatusError with the cluster's message; a NoAnswer after a write says whether it is
 * ambiguous, and then the caller reads and sees.
 */
export class KubeClient {
  readonly #caller: ApiCaller;
  readonly #fieldManager: string;

  constructor(options: KubeClientOptions) {
    this.#caller = new ApiCaller(options);
    this.#fieldManager = options.fieldManager;
  }

  async get<T>(type: ResourceType<T>, ref: ObjectRef, options: GetOptions = {}): Promise<T> {
    return this.#object('GET', objectPath(type, ref, options.subresource), undefined, options);
  }

  /** Any path that answers with JSON, for example `/version` or `/apis/keda.sh/v1alpha1`. */
  async getPath<T>(path: string, options: { readonly signal?: AbortSignal } = {}): Promise<T> {
    return this.#object('GET', path, undefined, options);
  }

  /** Everything there is, page by page; what `project` leaves out of an object is never kept. */
  async list<T, R = T>(
    type: ResourceType<T>,
    options: ListOptions & { readonly project?: (object: T) => R } = {},
  ): Promise<Page<R>> {
    for (let restart = 0; ; restart++) {
      try {
        return await this.#wholeList(type, options);
      } catch (error) {
        // The version of the first page was compacted away while the pages were read.
        const expired = error instanceof ApiStatusError && error.expired;
        if (!expired || restart >= listRestarts) throw error;
      }
    }
  }

  /** One page after another; a 410 between two pages reaches the caller, who has to start again. */
  async *pages<T, R = T>(
    type: ResourceType<T>,
    options: ListOptions & { readonly project?: (object: T) => R } = {},
  ): AsyncGenerator<Page<R>, void, void> {
    const path = collectionPath(type, options.namespace);
    let token = '';
    do {
      const query = { ...selectors(options), limit: options.pageSize ?? defaultPageSize, continue: token };
      const page = await this.#page<T, R>(withQuery(path, query), options);
      yield page;
      token = page.continue;
    } while (token !== '');
  }

  async create<T extends object>(
    type: ResourceType<T>,
    namespace: string | undefined,
    object: T,
    options: Omit<WriteOptions, 'subresource'> = {},
  ): Promise<T> {
    const path = withQuery(collectionPath(type, namespace), this.#writeQuery(options));
    return this.#object('POST', path, jsonBody(object), options);
  }

  async patch<T>(type: ResourceType<T>, ref: ObjectRef, patch: Patch, options: WriteOptions = {}): Promise<T> {
    const force = patch.type === 'apply' ? patch.force : undefined;
    const path = withQuery(objectPath(type, ref, options.subresource), { ...this.#writeQuery(options), force });
    const parse = options.withoutManagedFields ? withoutManagedFields : wholeObject;
    return this.#object<T>('PATCH', path, patchBody(patch), { ...options, parse });
  }

  async delete(type: ResourceType<unknown>, ref: ObjectRef, options: DeleteOptions = {}): Promise<void> {
    const { signal, once = false, dryRun, ...rest } = options;
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', ...rest, ...(dryRun ? { dryRun: ['All'] } : {}) };
    await this.#object('DELETE', objectPath(type, ref), jsonBody(body), { once, ...present(signal) });
  }

  /**
   * Resolves once the watch stands. Only its start takes from the limit, and nothing is retried here: who watches knows
   * from which version to go on. The events end when the server ends the watch, and throw when the connection breaks.
   */
  async watch<T>(type: ResourceType<T>, options: WatchOptions): Promise<AsyncGenerator<WatchEvent<T>, void, void>> {
    return watchEvents<T, never>(await this.#openWatch(type, options), undefined) as AsyncGenerator<WatchEvent<T>>;
  }

  /** The same for who knows some objects from the answers to writes: their events are not read again. */
  async watchKnowing<T, R>(
    type: ResourceType<T>,
    options: WatchOptions,
    answered: Answered<R> | undefined,
  ): Promise<AsyncGenerator<WatchEvent<T> | KnownEvent<R>, void, void>> {
    return watchEvents<T, R>(await this.#openWatch(type, options), answered);
  }

  #openWatch(type: ResourceType<unknown>, options: WatchOptions): Promise<TransportResponse['body']> {
    const path = withQuery(collectionPath(type, options.namespace), {
      watch: true,
      allowWatchBookmarks: true,
      ...selectors(options),
      resourceVersion: options.resourceVersion,
      timeoutSeconds: options.timeoutSeconds,
      ...(options.sendInitialEvents ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } : {}),
    });
    return this.#caller.open({ method: 'GET', path, signal: options.signal });
  }

  async #wholeList<T, R>(
    type: ResourceType<T>,
    options: ListOptions & { readonly project?: (object: T) => R },
  ): Promise<Page<R>> {
    const items: R[] = [];
    let resourceVersion = '';
    for await (const page of this.pages(type, options)) {
      for (const item of page.items) items.push(item);
      resourceVersion = page.resourceVersion;
    }
    return { items, resourceVersion };
  }

  async #page<T, R>(
    path: string,
    options: CallOptions & { readonly project?: (object: T) => R },
  ): Promise<Page<R> & { readonly continue: string }> {
    // Without a projection R is T, as the overloads say.
    const project = options.project ?? ((object: T) => object as unknown as R);
    // A mistake in the projection is not the network's: it must reach the caller as it is, and not be tried again.
    let mistake: { readonly error: unknown } | undefined;
    const { once = false, signal } = options;
    const page = await this.#caller.call({ method: 'GET', path, once, ...present(signal) }, async (body) => {
      const items: R[] = [];
      const splitter = new ListSplitter((bytes) => {
        const object = parseObject(bytes, 'object') as T;
        try {
          items.push(project(object));
        } catch (error) {
          mistake ??= { error };
        }
      });
      for await (const piece of body) splitter.push(piece);
      const { metadata } = splitter.end() as { metadata?: { resourceVersion?: string; continue?: string } };
      return { items, resourceVersion: metadata?.resourceVersion ?? '', continue: metadata?.continue ?? '' };
    });
    if (mistake !== undefined) throw (mistake as { readonly error: unknown }).error;
    return page;
  }

  #object<T>(
    method: Method,
    path: string,
    body: RequestBody | undefined,
    options: CallOptions & { readonly parse?: Parse },
  ): Promise<T> {
    const { signal, once = false, parse = wholeObject } = options;
    const call = { method, path, once, ...(body === undefined ? {} : { body }), ...present(signal) };
    return this.#caller.call(call, async (answer) => parse(await readBytes(answer)) as T);
  }

  #writeQuery(options: WriteOptions): Record<string, string | undefined> {
    return { fieldManager: options.fieldManager ?? this.#fieldManager, dryRun: options.dryRun ? 'All' : undefined };
  }
}

type Parse = (answer: Buffer) => unknown;
const wholeObject: Parse = (answer) => JSON.parse(answer.toString());
const withoutManagedFields: Parse = (answer) => parseObject(answer, 'object');

function selectors(options: { readonly labelSelector?: string; readonly fieldSelector?: string }) {
  return { labelSelector: options.labelSelector, fieldSelector: options.fieldSelector };
}

function present(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}
