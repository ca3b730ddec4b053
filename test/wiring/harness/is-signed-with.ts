import { createHmac } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import type { RecordedRequest } from '../../support/recording-server.ts';

/** Whether a request carries a signature made with the key, by another implementation than ours. */
export async function isSignedWith(
  { method, url, headers }: Pick<RecordedRequest, 'method' | 'url' | 'headers'>,
  key: string,
): Promise<boolean> {
  const sign = (data: Buffer) => createHmac('sha256', key).update(data).digest();
  try {
    const verified = await httpbis.verifyMessage(
      {
        keyLookup: async () => ({
          id: 'any',
          algs: ['hmac-sha256'],
          verify: async (data, signature) => sign(data).equals(signature),
        }),
      },
      { method, url, headers: headers as Record<string, string | string[]> },
    );
    return verified === true;
  } catch {
    return false;
  }
}
