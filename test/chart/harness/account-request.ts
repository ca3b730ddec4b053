import type { TransportRequest } from '../../../src/ports/transport.ts';
import type { Identity } from '../../cluster/harness/cluster-clients.ts';

export interface Answer {
  readonly status: number;
  /** The cluster's own words; empty for what it did. */
  readonly message: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
};

/** One request as this account, past every client of ours: what the apiserver itself says. */
export async function ask(
  who: Identity,
  method: TransportRequest['method'],
  path: string,
  body?: object,
): Promise<Answer> {
  const type = method === 'PATCH' ? patchTypes[Array.isArray(body) ? 'json' : 'merge'] : 'application/json';
  return send(who, { method, path, type }, body);
}

/** The server's own apply. */
export function apply(who: Identity, path: string, body: object): Promise<Answer> {
  return send(who, { method: 'PATCH', path, type: 'application/apply-patch+yaml' }, body);
}

async function send(
  who: Identity,
  { method, path, type }: Pick<TransportRequest, 'method' | 'path'> & { readonly type: string },
  body: object | undefined,
): Promise<Answer> {
  const response = await who.transport.send({
    method,
    path,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': type }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  let text = '';
  for await (const piece of response.body) text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
  const answer = parsed(text);
  const message = response.status < 400 ? '' : String(answer['message'] ?? text);
  return { status: response.status, message, body: answer };
}

/** The status alone, without waiting for the body: a watch has no end. */
export async function statusOf(who: Identity, method: TransportRequest['method'], path: string): Promise<number> {
  const stop = new AbortController();
  const response = await who.transport.send({ method, path, headers: {}, signal: stop.signal });
  stop.abort();
  return response.status;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
