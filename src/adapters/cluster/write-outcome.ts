import type { WriteOutcome } from '../../ports/cluster.ts';
import { ApiStatusError, NoAnswer } from '../kubernetes/client/errors.ts';

/**
 * What became of a guarded write. From 500 on an answer says nothing: the apiserver gives 500 and 504 also when etcd
 * performed the write and the confirmation was lost.
 */
export async function outcomeOf(write: () => Promise<void>): Promise<WriteOutcome> {
  try {
    await write();
    return { outcome: 'done' };
  } catch (error) {
    if (error instanceof ApiStatusError) return outcomeOfRefusal(error);
    if (error instanceof NoAnswer) return outcomeOfSilence(error);
    throw error;
  }
}

function outcomeOfRefusal(error: ApiStatusError): WriteOutcome {
  if (error.status === 409) return { outcome: 'conflict' };
  if (error.status === 404) return { outcome: 'gone' };
  if (error.status >= 500) return { outcome: 'unknown', message: error.message };
  const { status, message, retryAfterSeconds } = error;
  return {
    outcome: 'refused',
    status,
    message,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1000 }),
  };
}

function outcomeOfSilence(error: NoAnswer): WriteOutcome {
  return { outcome: 'unknown', message: error.message };
}
