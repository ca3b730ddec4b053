import { ApiStatusError } from '../client/errors.ts';

/** What a refused list or watch says of the way that it was asked for. */

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiStatusError && error.status === 403;
}

const passing: ReadonlySet<number> = new Set([401, 403, 429, 503]);

/** It says nothing of the version that was asked for. */
export function isPassing({ status }: ApiStatusError): boolean {
  return passing.has(status);
}

/** Trouble of the server's own, as of one that stops or begins: the next one may know another cluster. */
export function isOfApiserver({ status }: ApiStatusError): boolean {
  return status >= 500 || status === 429 || status === 401;
}

/** A server without streaming lists refuses the parameters, or takes no notice of them and never says that the list is over. */
export function cannotStream(error: unknown, silent: boolean): boolean {
  return silent || (error instanceof ApiStatusError && (error.status === 400 || error.status === 422));
}
