import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Keys } from './keys.ts';
import { type Claims, Tokens } from './tokens.ts';

const secret = 'a secret of at least 32 bytes, for tests only';
const tokens = new Tokens(new Keys(secret));
const now = Date.UTC(2026, 0, 5, 12);
const claims: Claims = {
  type: 'access',
  subject: 'ada@example.com',
  session: 's',
  generation: 0,
  issuedAt: now,
  expiresAt: now + 60_000,
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const good = tokens.issue(claims);
const [head, payload, signature] = good.split('.') as [string, string, string];
const body = JSON.parse(Buffer.from(payload, 'base64url').toString());
const ownKey = new Keys(secret).mac('access', 'jwt');
const signedWith = (key: string | Buffer, header: object, claimed: object = body) => {
  const text = `${part(header)}.${part(claimed)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
};

/** Of the last letter of 32 bytes in base64url two bits are unused: a lax decoder takes four letters for one. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const otherLastLetter = (text: string) => text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)!) ^ 1];

describe('a token', () => {
  it('of the right type is taken until it expires', () => {
    expect(tokens.verify('access', good, now + 59_999)).toEqual(claims);
    expect(tokens.verify('access', good, now + 60_000)).toBeUndefined();
  });

  const forged: Readonly<Record<string, string>> = {
    'no signature': `${head}.${payload}.`,
    'no third part': `${head}.${payload}`,
    'a fourth part': `${good}.x`,
    'algorithm none': `${part({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    'algorithm none and the old signature': `${part({ alg: 'none', typ: 'at+jwt' })}.${payload}.${signature}`,
    'another algorithm': signedWith(secret, { alg: 'HS512', typ: 'at+jwt' }),
    'the secret itself as the key': signedWith(secret, { alg: 'HS256', typ: 'at+jwt' }),
    'an empty key': signedWith('', { alg: 'HS256', typ: 'at+jwt' }),
    'a kid': signedWith(secret, { alg: 'HS256', typ: 'at+jwt', kid: '../../dev/null' }),
    'a jwk': signedWith('', { alg: 'HS256', typ: 'at+jwt', jwk: { kty: 'oct', k: '' } }),
    'a kid and our own signature': signedWith(ownKey, { alg: 'HS256', typ: 'at+jwt', kid: 'x' }),
    'a jwk and our own signature': signedWith(ownKey, { alg: 'HS256', typ: 'at+jwt', jwk: { kty: 'oct', k: '' } }),
    'the type in a longer spelling': signedWith(ownKey, { alg: 'HS256', typ: 'application/AT+JWT' }),
    'a list of audiences': signedWith(ownKey, { alg: 'HS256', typ: 'at+jwt' }, { ...body, aud: ['x', body.aud] }),
    'another type and our own signature': signedWith(ownKey, { alg: 'HS256', typ: 'JWT' }),
    'algorithm none and our own signature': signedWith(ownKey, { alg: 'none', typ: 'at+jwt' }),
    'another audience': signedWith(ownKey, { alg: 'HS256', typ: 'at+jwt' }, { ...body, aud: 'svc-refresh' }),
    'another issuer': signedWith(ownKey, { alg: 'HS256', typ: 'at+jwt' }, { ...body, iss: 'other' }),
    'no expiry': signedWith(ownKey, { alg: 'HS256', typ: 'at+jwt' }, { ...body, exp: undefined }),
    'another subject': `${head}.${part({ ...body, sub: 'eve@example.com' })}.${signature}`,
    'a later expiry': `${head}.${part({ ...body, exp: body.exp + 1000 })}.${signature}`,
    'a last letter that decodes to the same bytes': `${head}.${payload}.${otherLastLetter(signature)}`,
    'a space before the signature': `${head}.${payload}. ${signature}`,
    'a longer signature': `${good}A`,
    'a signature in another alphabet': `${head}.${payload}.${signature.replaceAll('-', '+').replaceAll('_', '/')}=`,
    nothing: '',
    'five thousand characters': 'a'.repeat(5000),
  };
  for (const [name, token] of Object.entries(forged)) {
    it(`with ${name} is refused`, () => {
      expect(tokens.verify('access', token, now)).toBeUndefined();
    });
  }

  it('of one type is not taken for another', () => {
    expect(tokens.verify('refresh', good, now)).toBeUndefined();
    expect(tokens.verify('access', tokens.issue({ ...claims, type: 'refresh' }), now)).toBeUndefined();
  });

  it('of another secret is refused', () => {
    expect(new Tokens(new Keys(`${secret}!`)).verify('access', good, now)).toBeUndefined();
  });

  it('cannot be signed with a short secret', () => {
    expect(() => new Keys('x'.repeat(31))).toThrow(
      'secrets.jwtSecret is shorter than 256 bits; generate one with: openssl rand -base64 32',
    );
    expect(() => new Keys('x'.repeat(32))).not.toThrow();
  });
});
