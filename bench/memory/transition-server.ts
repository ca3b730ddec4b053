// A TLS server that acts as an apiserver and its controllers while a cluster of full-size objects goes down and comes up.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfSigned } from '../../test/support/self-signed.ts';
import { objectText } from './full-size-objects.ts';
import { ConfigMaps } from './transition-config-maps.ts';
import { type DeploymentPatch, LiveDeployment, pendingPodText } from './transition-objects.ts';
import { bookmark, initialEnd, refuse, watchersOf } from './transition-watches.ts';

interface Plan {
  readonly deployments: number;
  readonly pods: number;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const podsEach = Math.floor(plan.pods / plan.deployments);
/** What the controllers and kubelets of a cluster take until a count is brought about. */
const settleMs = 200;

let version = 1_000_000;
const nextVersion = () => ++version;
const deployments = Array.from({ length: plan.deployments }, (_, index) => new LiveDeployment(index));
const byPath = new Map(deployments.map((one) => [pathOf(one.text()), one]));
const namespaces = [...new Set([...byPath.keys()].map((path) => path.split('/')[5]!)), 'svc'];
const watchers = watchersOf();
const configMaps = new ConfigMaps(
  nextVersion,
  (change, name) => watchers.tell(`configmaps ${name}`, change),
  noteState,
);

const certificate = selfSigned(['localhost', '127.0.0.1']);
const server = createServer(certificate, (request, response) => {
  void answer(request, response).catch((error: unknown) => refuse(response, 500, String(error)));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ ready: { port: (server.address() as AddressInfo).port, ca: certificate.cert } });
});
process.on('message', (message: 'hibernate' | 'wake' | 'counts') => {
  if (message !== 'counts') configMaps.order(message);
  else process.send?.({ counts: { asTheyWere: deployments.filter(({ asItWas }) => asItWas).length } });
});

/** The controller writes where it stands into the state. */
function noteState(data: Readonly<Record<string, string>>): void {
  const { phase } = JSON.parse(data['phase'] ?? '{}') as { phase?: string };
  if (data['transition'] === undefined && phase !== undefined) process.send?.({ [phase]: true });
}

function pathOf(deployment: string): string {
  const { metadata } = JSON.parse(deployment) as { metadata: { name: string; namespace: string } };
  return `/apis/apps/v1/namespaces/${metadata.namespace}/deployments/${metadata.name}`;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://server');
  const body = request.method === 'GET' ? '' : await text(request);
  if (url.searchParams.get('watch') === 'true') return watch(response, url);
  const deployment = byPath.get(url.pathname);
  if (deployment !== undefined) return onDeployment(request, response, deployment, body);
  if (url.pathname.includes('/configmaps')) return configMaps.answer(request.method ?? 'GET', url, body, response);
  if (request.method === 'POST') return json(response, 201, body);
  refuse(response, 404, 'NotFound');
}

function onDeployment(request: IncomingMessage, response: ServerResponse, one: LiveDeployment, body: string): void {
  if (request.method === 'PATCH') {
    if (!one.patch(JSON.parse(body) as DeploymentPatch, nextVersion())) {
      refuse(response, 409, 'Conflict');
      return;
    }
    watchers.tell('deployments', { type: 'MODIFIED', text: one.text() });
    setTimeout(() => bringAbout(one), settleMs);
  }
  json(response, 200, one.text());
}

/** Pods come and go with the count, as a watch shows it. */
function bringAbout(one: LiveDeployment): void {
  if (one.running === one.replicas) return;
  const pods = Array.from({ length: podsEach }, (_, pod) => one.index * podsEach + pod);
  for (const index of pods) {
    if (one.replicas === 0) {
      watchers.tell('pods', {
        type: 'DELETED',
        text: objectText('pods', { index, resourceVersion: nextVersion(), round: 0 }),
      });
      continue;
    }
    watchers.tell('pods', { type: 'ADDED', text: pendingPodText(index, nextVersion()) });
    const resourceVersion = nextVersion();
    watchers.tell('pods', { type: 'MODIFIED', text: objectText('pods', { index, resourceVersion, round: 0 }) });
  }
  one.settle(nextVersion());
  watchers.tell('deployments', { type: 'MODIFIED', text: one.text() });
}

function watch(response: ServerResponse, url: URL): void {
  const kind = url.pathname.split('/').at(-1) ?? '';
  const name = /^metadata\.name=(.+)$/.exec(url.searchParams.get('fieldSelector') ?? '')?.[1];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  if (url.searchParams.get('sendInitialEvents') === 'true') {
    for (const object of objectsOf(kind, name)) response.write(`{"type":"ADDED","object":${object}}\n`);
    response.write(bookmark(version, initialEnd));
  }
  watchers.add(name === undefined ? kind : `${kind} ${name}`, response);
}

function* objectsOf(kind: string, name: string | undefined): Generator<string> {
  if (kind === 'configmaps' && name !== undefined) yield* configMaps.texts(name);
  if (kind === 'namespaces') for (const one of namespaces) yield namespaceText(one);
  if (kind === 'deployments') for (const one of deployments) yield one.text();
  if (kind !== 'pods') return;
  for (const one of deployments.filter(({ running }) => running > 0)) {
    for (let pod = 0; pod < podsEach; pod++) {
      const index = one.index * podsEach + pod;
      yield objectText('pods', { index, resourceVersion: 1_000 + index, round: 0 });
    }
  }
}

function namespaceText(name: string): string {
  return JSON.stringify({ metadata: { name, uid: name, resourceVersion: '1' }, status: { phase: 'Active' } });
}

function json(response: ServerResponse, status: number, object: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(object);
}
