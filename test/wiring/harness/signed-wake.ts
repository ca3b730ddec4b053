import { createHash, createHmac, randomBytes } from 'node:crypto';
import { httpbis } from 'http-message-signatures';

export interface SignedWake {
  readonly apiUrl: string;
  /** The address that the caller means: it is signed, wherever the request goes. */
  readonly ownUrl: string;
  readonly cluster: string;
  /** The text of the shared key. */
  readonly key: string;
  readonly body?: object;
  readonly method?: 'POST' | 'DELETE';
}

export interface WakeAnswer {
  readonly status: number;
  /** `taken`, or the code of the refusal. */
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What another cluster sends, signed by another implementation than ours. */
export async function signedWake(wake: SignedWake): Promise<WakeAnswer> {
  const { apiUrl, ownUrl, cluster, key, body = {}, method = 'POST' } = wake;
  // As a dependent sends it: the frontend lets no DELETE with a body through.
  const text = method === 'DELETE' ? '' : JSON.stringify(body);
  const digest = createHash('sha256').update(text).digest('base64');
  const { headers } = await httpbis.signMessage(
    {
      key: {
        id: encodeURIComponent(cluster),
        alg: 'hmac-sha256',
        sign: async (data) => createHmac('sha256', key).update(data).digest(),
      },
      name: 'sig',
      fields: ['@method', '@target-uri', 'content-digest'],
      params: ['created', 'nonce', 'alg', 'keyid', 'tag'],
      paramValues: { created: new Date(), nonce: randomBytes(16).toString('base64url'), tag: 'svc-external-wake' },
    },
    { method, url: `${ownUrl}/api/v1/external-wake`, headers: { 'content-digest': `sha-256=:${digest}:` } },
  );
  const answer = await fetch(`${apiUrl}/api/v1/external-wake`, {
    method,
    headers: {
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(text === '' ? {} : { body: text }),
  });
  const json = (await answer.json()) as { readonly code?: string };
  return { status: answer.status, code: answer.ok ? 'taken' : (json.code ?? ''), body: json };
}
