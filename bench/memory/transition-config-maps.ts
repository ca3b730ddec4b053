import type { ServerResponse } from 'node:http';
import { type Change, refuse } from './transition-watches.ts';

interface Stored {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string; readonly resourceVersion: string };
  readonly data: Readonly<Record<string, string>>;
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** ConfigMaps of the release: the configuration, the state, the audit log. */
export class ConfigMaps {
  readonly #stored = new Map<string, Stored>();
  readonly #nextVersion: () => number;
  readonly #tell: (change: Change, name: string) => void;
  readonly #onState: (data: Stored['data']) => void;

  constructor(
    nextVersion: () => number,
    tell: (change: Change, name: string) => void,
    onState: (data: Stored['data']) => void,
  ) {
    this.#nextVersion = nextVersion;
    this.#tell = tell;
    this.#onState = onState;
    this.order('wake');
  }

  /** Working hours all week, or none. */
  order(direction: 'hibernate' | 'wake'): void {
    const schedule = Object.fromEntries(days.map((day) => [day, direction === 'wake' ? 'on' : 'off']));
    const config = { clusterName: 'bench', externalUrl: 'https://svc.example.com', workingHours: { schedule } };
    this.#put({ name: 'svc-config' }, { 'config.yaml': JSON.stringify(config) });
  }

  *texts(name: string): Generator<string> {
    const stored = this.#stored.get(name);
    if (stored !== undefined) yield JSON.stringify(stored);
  }

  answer(method: string, url: URL, body: string, response: ServerResponse): void {
    const name = /\/configmaps\/([^/]+)$/.exec(url.pathname)?.[1];
    if (method === 'POST') {
      const { metadata, data } = JSON.parse(body) as Stored;
      this.#answer(response, 201, this.#put(metadata, data));
    } else if (name === undefined) this.#list(response, url);
    else this.#answerOne(method, name, body, response);
  }

  #answerOne(method: string, name: string, body: string, response: ServerResponse): void {
    const stored = this.#stored.get(name);
    if (stored === undefined) {
      refuse(response, 404, 'NotFound');
      return;
    }
    if (method === 'GET') {
      this.#answer(response, 200, stored);
      return;
    }
    const patch = JSON.parse(body) as { metadata?: Stored['metadata']; data?: Record<string, string | null> };
    if (patch.metadata?.resourceVersion !== stored.metadata.resourceVersion) {
      refuse(response, 409, 'Conflict');
      return;
    }
    const data = Object.entries({ ...stored.data, ...patch.data }).filter((entry) => entry[1] !== null);
    this.#answer(response, 200, this.#put(stored.metadata, Object.fromEntries(data) as Record<string, string>));
  }

  #list(response: ServerResponse, url: URL): void {
    const audit = url.searchParams.get('labelSelector') !== null;
    const named = url.searchParams.get('fieldSelector')?.replace('metadata.name=', '');
    const items = [...this.#stored.values()].filter(({ metadata }) =>
      audit ? metadata.name.startsWith('svc-audit-') : metadata.name === named,
    );
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items }));
  }

  #put(metadata: { readonly name: string }, data: Stored['data']): Stored {
    const { name } = metadata;
    const resourceVersion = String(this.#nextVersion());
    const stored = { metadata: { uid: name, ...metadata, namespace: 'svc', resourceVersion }, data };
    const type = this.#stored.has(name) ? 'MODIFIED' : 'ADDED';
    this.#stored.set(name, stored);
    this.#tell({ type, text: JSON.stringify(stored) }, name);
    if (name === 'svc-state') this.#onState(data);
    return stored;
  }

  #answer(response: ServerResponse, status: number, stored: Stored): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(stored));
  }
}
