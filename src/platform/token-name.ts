import { hash } from 'node:crypto';

/**
 * In answers of the API to the frontend, which keeps it to itself: the name of an access token that it has just issued, or `acceptedToken`
 * where the token of the request was good. The frontend has no secret to judge tokens by, and keeps room for those that it has heard of.
 */
export const tokenHeader = 'x-svc-token';
export const acceptedToken = 'accepted';

/** Enough of a hash to tell tokens apart, and nothing that anybody could sign in with. */
export function tokenName(token: string): string {
  return hash('sha256', token, 'base64url').slice(0, 22);
}
