// The apiserver's side of the memory benchmark, in a process of its own: lists, watches, and a storm of events on request.
// Speaks to the benchmark over IPC: {ready}, {synced}, {stormSent} out; 'storm' in.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../test/support/self-signed.ts';
import { type Kind, objectText } from './full-size-objects.ts';

interface Plan {
  readonly deployments: number;
  readonly pods: number;
  readonly events: number;
  readonly streamingLists: boolean;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const certificate = selfSigned(['localhost', '127.0.0.1']);
const counts: Readonly<Record<Kind, number>> = { deployments: plan.deployments, pods: plan.pods };
const watches = new Map<Kind, ServerResponse>();
let resourceVersion = 1_000_000;

const alwaysOn = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [day, 'on']),
);
const configMapText = JSON.stringify({
  metadata: { namespace: 'svc', name: 'svc-config', uid: 'svc-config', resourceVersion: '1' },
  data: {
    'config.yaml': JSON.stringify({
      clusterName: 'bench',
      externalUrl: 'https://svc.example.com',
      operations: { dryRun: true },
      workingHours: { schedule: alwaysOn },
    }),
  },
});

const server = createServer(certificate, (request, response) => {
  void answer(request, response).catch((error) => response.destroy(error));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: { port: (server.address() as AddressInfo).port, ca: certificate.cert } });
});
process.on('message', (message) => {
  if (message === 'storm') void storm().then(() => process.send?.({ stormSent: true }));
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://server');
  const kind = kindOf(url.pathname);
  const query = url.searchParams;
  if (request.method !== 'GET') return refuse(response, 405, 'MethodNotAllowed');
  if (query.get('watch') === 'true') return watch(response, kind, url);
  if (kind === undefined) return otherKind(response, url);
  await list(response, kind, query);
}

function kindOf(path: string): Kind | undefined {
  if (path === '/apis/apps/v1/deployments') return 'deployments';
  return path === '/api/v1/pods' ? 'pods' : undefined;
}

/** Collections of other kinds are empty; single objects do not exist. */
function otherKind(response: ServerResponse, url: URL): void {
  const isCollection = /^\/(api\/v1|apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+)?\/[a-z]+$/.test(url.pathname);
  if (!isCollection) {
    refuse(response, 404, 'NotFound');
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"${resourceVersion}"},"items":[${otherObject(url) ?? ''}]}`,
  );
}

/** The one object of another kind that a controller cannot do without: a configuration that changes nothing. */
function otherObject({ pathname, searchParams }: URL): string | undefined {
  const isConfig = pathname.endsWith('/configmaps') && searchParams.get('fieldSelector') === 'metadata.name=svc-config';
  return isConfig ? configMapText : undefined;
}

async function list(response: ServerResponse, kind: Kind, query: URLSearchParams): Promise<void> {
  const start = Number(query.get('continue') ?? 0);
  const end = Math.min(counts[kind], start + Number(query.get('limit') ?? counts[kind]));
  const more = end < counts[kind] ? `,"continue":"${end}","remainingItemCount":${counts[kind] - end}` : '';
  response.writeHead(200, { 'content-type': 'application/json' });
  await write(
    response,
    `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"${resourceVersion}"${more}},"items":[`,
  );
  for (let index = start; index < end; index++) {
    await write(
      response,
      (index === start ? '' : ',') + objectText(kind, { index, resourceVersion: 1000 + index, round: 0 }),
    );
  }
  response.end(']}\n');
}

async function watch(response: ServerResponse, kind: Kind | undefined, url: URL): Promise<void> {
  const initial = url.searchParams.get('sendInitialEvents') === 'true';
  if (initial && !plan.streamingLists) return refuse(response, 422, 'Invalid');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  if (initial) await sendInitialEvents(response, kind, otherObject(url));
  if (kind === undefined) return;
  watches.set(kind, response);
  if (watches.size === 2) process.send?.({ synced: true });
}

async function sendInitialEvents(response: ServerResponse, kind: Kind | undefined, other?: string): Promise<void> {
  if (other !== undefined) await write(response, `{"type":"ADDED","object":${other}}\n`);
  for (let index = 0; kind !== undefined && index < counts[kind]; index++) {
    const object = objectText(kind, { index, resourceVersion: 1000 + index, round: 0 });
    await write(response, `{"type":"ADDED","object":${object}}\n`);
  }
  const annotations = '"annotations":{"k8s.io/initial-events-end":"true"}';
  await write(
    response,
    `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"${resourceVersion}",${annotations}}}}\n`,
  );
}

/** Four events of five are for pods; each object is changed in turn, as fast as the other side takes it. */
async function storm(): Promise<void> {
  for (let event = 0; event < plan.events; event++) {
    const kind: Kind = event % 5 === 4 ? 'deployments' : 'pods';
    const turn = kind === 'deployments' ? Math.floor(event / 5) : event - Math.floor(event / 5);
    const round = 1 + Math.floor(turn / counts[kind]);
    const object = objectText(kind, { index: turn % counts[kind], resourceVersion: ++resourceVersion, round });
    const target = watches.get(kind);
    if (target !== undefined) await write(target, `{"type":"MODIFIED","object":${object}}\n`);
  }
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (!response.write(text)) await once(response, 'drain');
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason }));
}
