import { createHmac } from 'node:crypto';
import { product } from '../../domain/names.ts';
import { type Keys, sameBytes } from './keys.ts';

export type TokenType = 'access' | 'refresh';

export interface Claims {
  readonly type: TokenType;
  /** The address, in its one normal form. */
  readonly subject: string;
  /** The sign-in that it belongs to; all its tokens end together. */
  readonly session: string;
  /** Counts the refreshes of a session. */
  readonly generation: number;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** When the last token of the session that was issued so far expires, where that is later: whoever shows one ends all of them. */
  readonly sessionUntil?: number;
}

const issuer = product;
const audience = (type: TokenType) => `${product}-${type}`;
/** The one header that is written and the one that is accepted: there is no algorithm to negotiate. */
const headers: Readonly<Record<TokenType, string>> = {
  access: encode({ alg: 'HS256', typ: 'at+jwt' }),
  refresh: encode({ alg: 'HS256', typ: 'rt+jwt' }),
};
const longest = 4096;

/** JWTs, HS256 alone, each type under a key, an audience and a header of its own. */
export class Tokens {
  readonly #signingKeys: Readonly<Record<TokenType, Buffer>>;

  constructor(keys: Keys) {
    this.#signingKeys = { access: keys.mac('access', 'jwt'), refresh: keys.mac('refresh', 'jwt') };
  }

  issue(claims: Claims): string {
    const payload = encode({
      iss: issuer,
      aud: audience(claims.type),
      sub: claims.subject,
      sid: claims.session,
      gen: claims.generation,
      iat: Math.floor(claims.issuedAt / 1000),
      exp: Math.floor(claims.expiresAt / 1000),
      ...(claims.sessionUntil === undefined ? {} : { sxp: Math.floor(claims.sessionUntil / 1000) }),
    });
    const signed = `${headers[claims.type]}.${payload}`;
    return `${signed}.${this.#signature(claims.type, signed)}`;
  }

  /** The claims of a good token of this type that has not expired; undefined for anything else. */
  verify(type: TokenType, token: string, now: number): Claims | undefined {
    if (token.length > longest) return undefined;
    const [head, payload, signature, ...rest] = token.split('.');
    if (head !== headers[type] || payload === undefined || signature === undefined || rest.length > 0) return undefined;
    const expected = this.#signature(type, `${head}.${payload}`);
    if (!sameBytes(Buffer.from(signature), Buffer.from(expected))) return undefined;
    const claims = decode(payload);
    if (claims?.['iss'] !== issuer || claims['aud'] !== audience(type)) return undefined;
    const { sub, sid, gen, iat, exp, sxp } = claims;
    if (typeof sub !== 'string' || typeof sid !== 'string' || typeof gen !== 'number') return undefined;
    if (typeof iat !== 'number' || typeof exp !== 'number' || now >= exp * 1000) return undefined;
    const good = { type, subject: sub, session: sid, generation: gen, issuedAt: iat * 1000, expiresAt: exp * 1000 };
    return typeof sxp === 'number' ? { ...good, sessionUntil: sxp * 1000 } : good;
  }

  #signature(type: TokenType, text: string): string {
    return createHmac('sha256', this.#signingKeys[type]).update(text).digest('base64url');
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
