import { tableOf, wantsTable } from '../../kubectl/table.ts';
import type { KubeObject, StoreEvent } from '../../object-store.ts';
import { ApiError, expired, invalid } from '../../store/api-error.ts';
import { apiVersionOf } from '../kinds/resource-type.ts';
import { toServed } from '../kinds/versions.ts';
import type { ApiResponse, Call } from '../request/call.ts';
import { jsonText } from '../request/json-text.ts';
import { LineStream } from '../request/line-stream.ts';
import { isTrue } from '../request/request-info.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';

const MIN_TIMEOUT_SECONDS = 1800;
/** The last bookmark is planned two seconds before the end, so a shorter watch has none. */
const SHORTEST_WITH_LAST_BOOKMARK_MS = 2000;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

interface WatchOptions {
  /** Undefined: begin with the state as it is now. */
  readonly from: number | undefined;
  readonly initialEvents: boolean;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

export function watch(call: Call): ApiResponse {
  const options = watchOptions(call);
  const stream = new LineStream();
  new Watch(call, stream, options).begin(options);
  return { status: 200, headers: { 'content-type': 'application/json' }, body: stream };
}

function watchOptions(call: Call): WatchOptions {
  const { query } = call.info;
  const version = query.get('resourceVersion') ?? '';
  if (!/^\d*$/.test(version)) {
    // Not a 400: the watch cache reports it as it comes.
    throw new ApiError(
      500,
      '',
      `resourceVersion: Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`,
    );
  }
  const sendInitialEvents = query.get('sendInitialEvents');
  if (sendInitialEvents !== null && !call.services.streamingLists) {
    throw optionsInvalid(
      'sendInitialEvents',
      'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    );
  }
  checkInitialEvents(sendInitialEvents, query.get('resourceVersionMatch') ?? '');
  const asked = Number(query.get('timeoutSeconds') ?? 0);
  const seconds = asked > 0 ? asked : MIN_TIMEOUT_SECONDS * (1 + call.services.random.next());
  const from = version === '' || version === '0' ? undefined : Number(version);
  const implied = from === undefined && sendInitialEvents === null;
  return {
    from,
    initialEvents: sendInitialEvents === null ? implied : isTrue(sendInitialEvents),
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutMs: seconds * 1000,
  };
}

function checkInitialEvents(sendInitialEvents: string | null, match: string): void {
  if (sendInitialEvents === null && match !== '') {
    throw optionsInvalid(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  }
  if (sendInitialEvents !== null && match !== 'NotOlderThan') {
    throw optionsInvalid(
      'resourceVersionMatch',
      'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  }
}

function optionsInvalid(field: string, why: string): ApiError {
  return invalid('ListOptions', 'meta.k8s.io', '', [
    { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field },
  ]);
}

/** One open watch: what it selects, and the lines it writes. */
class Watch {
  readonly #call: Call;
  readonly #stream: LineStream;
  readonly #bookmarksAtEnd: boolean;
  readonly #from: number;
  readonly #matches: (object: KubeObject) => boolean;
  readonly #asTable: boolean;
  #tableHeaderSent = false;

  constructor(call: Call, stream: LineStream, options: WatchOptions) {
    this.#call = call;
    this.#stream = stream;
    this.#from = options.from ?? 0;
    this.#bookmarksAtEnd = options.bookmarks && options.timeoutMs > SHORTEST_WITH_LAST_BOOKMARK_MS;
    this.#matches = matcher(call);
    this.#asTable = wantsTable(call.headers);
  }

  begin(options: WatchOptions): void {
    const { store, watches } = this.#call.services;
    const { storage } = this.#call.type;
    if (!this.#replay(options)) {
      this.#stream.end();
      return;
    }
    const after = Math.max(options.from ?? 0, store.version);
    const stops = [
      store.onChange(storage, (event) => {
        if (Number(event.object.metadata.resourceVersion) > after) this.#tell(event);
      }),
      watches.after(options.timeoutMs, () => this.#timeOut()),
    ];
    if (options.bookmarks) stops.push(watches.join(() => this.#bookmark()));
    this.#stream.onClose(() => {
      for (const stop of stops) stop();
    });
  }

  /** What came before now; false when that can no longer be told. */
  #replay(options: WatchOptions): boolean {
    const { store } = this.#call.services;
    const { type } = this.#call;
    if (options.initialEvents) {
      const namespace = type.namespaced ? this.#call.info.namespace : undefined;
      for (const object of store.list(type.storage, namespace)) {
        if (this.#matches(object)) this.#write('ADDED', object);
      }
      if (options.bookmarks && this.#call.info.query.has('sendInitialEvents'))
        this.#bookmark({ [INITIAL_EVENTS_END]: 'true' });
      return true;
    }
    if (options.from === undefined) return true;
    const changes = store.changesSince(type.storage, options.from);
    if (changes === undefined) {
      this.#error(expired(`too old resource version: ${options.from} (${store.oldestVersion(type.storage)})`));
      return false;
    }
    for (const event of changes) this.#tell(event);
    return true;
  }

  /** An object that comes into the selection is added, one that leaves it is deleted. */
  #tell(event: StoreEvent): void {
    const { object, previous } = event;
    const now = event.type !== 'DELETED' && this.#matches(object);
    const before = previous !== undefined && this.#matches(previous);
    if (now) this.#write(before ? 'MODIFIED' : 'ADDED', object);
    else if (before) this.#write('DELETED', event.type === 'DELETED' ? object : atVersion(previous, object));
  }

  #timeOut(): void {
    if (this.#bookmarksAtEnd) this.#bookmark();
    this.#stream.end();
  }

  #bookmark(annotations?: Readonly<Record<string, string>>): void {
    const { type, services } = this.#call;
    // A watch from a version that is yet to come hears nothing before it.
    if (services.store.version < this.#from) return;
    const metadata = {
      resourceVersion: String(services.store.version),
      ...(annotations === undefined ? {} : { annotations }),
    };
    const object = { kind: type.kind, apiVersion: apiVersionOf(type.group, type.version), metadata };
    this.#line('BOOKMARK', JSON.stringify(object));
  }

  #error(error: ApiError): void {
    this.#line('ERROR', JSON.stringify(error.status()));
  }

  #write(eventType: EventType, object: KubeObject): void {
    if (!this.#asTable) {
      this.#line(eventType, jsonText(toServed(object, this.#call.type)));
      return;
    }
    this.#line(eventType, tableOf(this.#call, [object], !this.#tableHeaderSent));
    this.#tableHeaderSent = true;
  }

  #line(eventType: EventType, object: string): void {
    this.#stream.push(`{"type":"${eventType}","object":${object}}\n`);
  }
}

/** The object as it was, at the version of the change that took it out of the selection. */
function atVersion(previous: KubeObject, changed: KubeObject): KubeObject {
  const { resourceVersion } = changed.metadata;
  return { ...previous, metadata: { ...previous.metadata, resourceVersion } };
}

function matcher(call: Call): (object: KubeObject) => boolean {
  const { query, name, namespace } = call.info;
  const labels = parseLabelSelector(query.get('labelSelector'));
  const fields = parseFieldSelector(query.get('fieldSelector'), call.type);
  const scope = call.type.namespaced ? namespace : undefined;
  return (object) =>
    (scope === undefined || object.metadata.namespace === scope) &&
    (name === '' || object.metadata.name === name) &&
    (labels === undefined || labels(object.metadata.labels)) &&
    (fields === undefined || fields(object));
}
