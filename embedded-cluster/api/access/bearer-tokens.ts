import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { Identity } from './identity.ts';

interface Grant {
  readonly identity: Identity;
  readonly expiresAt: number;
}

/** The bearer tokens that the HTTP server accepts, and whose they are. */
export class BearerTokens {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #grants = new Map<string, Grant>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A new token, good for so many seconds; without a number, for good. */
  issue(identity: Identity, seconds?: number): { readonly token: string; readonly expiresAt: number } {
    const expiresAt = seconds === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() + seconds * 1000;
    const token = btoa(String.fromCharCode(...this.#random.bytes(32))).replaceAll(/[+/=]/g, (c) => TOKEN_SAFE[c] ?? '');
    this.#grants.set(token, { identity, expiresAt });
    return { token, expiresAt };
  }

  revoke(token: string): void {
    this.#grants.delete(token);
  }

  /** Whose token it is; undefined when it is unknown or has expired. */
  identityOf(token: string): Identity | undefined {
    const grant = this.#grants.get(token);
    if (grant === undefined) return undefined;
    if (grant.expiresAt > this.#clock.now()) return grant.identity;
    this.#grants.delete(token);
    return undefined;
  }
}

const TOKEN_SAFE: Readonly<Record<string, string>> = { '+': '-', '/': '_', '=': '' };

export function serviceAccountIdentity(namespace: string, name: string, uid?: string): Identity {
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    ...(uid === undefined ? {} : { uid }),
  };
}
