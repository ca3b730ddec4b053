import { badRequest } from '../../store/api-error.ts';
import { isObject } from '../../store/json-value.ts';

/** Where a paged list goes on: at which version, and after which key. */
export interface ContinueFrom {
  readonly version: number;
  readonly after: string;
}

/** Go on with whatever there is now, after the first version was lost. */
export const INCONSISTENT = -1;

export function encodeContinue({ version, after }: ContinueFrom): string {
  const text = JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${after}\u0000` });
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function decodeContinue(token: string): ContinueFrom {
  try {
    const parsed: unknown = JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')));
    if (!isObject(parsed) || typeof parsed['rv'] !== 'number' || typeof parsed['start'] !== 'string') throw new Error();
    return { version: parsed['rv'], after: parsed['start'].slice(0, -1) };
  } catch {
    throw badRequest('invalid continue token: continue key is not valid');
  }
}
