import { hash } from 'node:crypto';

/**
 * In answers of the API to the frontend, which keeps it to itself: of which token it speaks, and whose it is. The frontend has no secret to judge
 * tokens by, and keeps room for those that it has heard of, for each person and for admins.
 */
export const tokenHeader = 'x-svc-token';
/** In the place of a name: the token of the request, which was good. */
export const acceptedToken = 'accepted';

/** Of the company: of a listed domain, or of an admin's. */
export const ranks = ['outside', 'company', 'admin'] as const;
export type Rank = (typeof ranks)[number];

export interface TokenHolder {
  /** Tells people apart, and says nothing of who they are. */
  readonly person: string;
  readonly rank: Rank;
}

export interface SaidOfToken extends TokenHolder {
  /** The name of a token that was just issued, or `acceptedToken`. */
  readonly token: string;
}

/** Enough of a hash to tell tokens apart, and nothing that anybody could sign in with. */
export function tokenName(token: string): string {
  return hash('sha256', token, 'base64url').slice(0, 22);
}

export function tokenHeaderText({ token, person, rank }: SaidOfToken): string {
  return `${token} ${person} ${rank}`;
}

/** Undefined when nothing is said. */
export function parseTokenHeader(text: unknown): SaidOfToken | undefined {
  const [token, person, rank] = typeof text === 'string' ? text.split(' ') : [];
  const known = ranks.find((one) => one === rank);
  return token && person && known ? { token, person, rank: known } : undefined;
}
