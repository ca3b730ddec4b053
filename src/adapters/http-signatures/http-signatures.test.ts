import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { httpbis } from 'http-message-signatures';
import { describe, expect, it } from 'vitest';
import { contentDigest, digestMatches } from './content-digest.ts';
import { parseKeys } from './key-folder.ts';
import { coveredComponents, hmac, keyIdOf, signRequest } from './sign-request.ts';
import { signatureBase } from './signature-base.ts';
import { isSignedBy, readClaim } from './signed-request.ts';
import { parseBytesMember, parseSignatureInput, serializeBytes } from './structured-fields.ts';

describe('the example of RFC 9421, B.2.5', () => {
  const key = Buffer.from(
    'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
    'base64',
  );
  const input = parseSignatureInput(
    'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
  )!;
  const base = signatureBase(
    {
      method: 'POST',
      targetUri: 'https://example.com/foo?param=Value&Pet=dog',
      headers: {
        host: 'example.com',
        date: 'Tue, 20 Apr 2021 02:07:55 GMT',
        'content-type': 'application/json',
      },
    },
    input.components,
    input.text,
  );

  it('has this signature base', () => {
    expect(base).toBe(
      [
        '"date": Tue, 20 Apr 2021 02:07:55 GMT',
        '"@authority": example.com',
        '"content-type": application/json',
        '"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
      ].join('\n'),
    );
  });

  it('has this signature', () => {
    const signature = parseBytesMember('sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:')!;
    expect(serializeBytes(hmac(key, base!))).toBe(serializeBytes(signature.bytes));
  });
});

const key = randomBytes(32);
const now = 1_763_200_000;

function signed(method: string, url: string, text: string) {
  const body = Buffer.from(text);
  const nonce = randomBytes(16).toString('base64url');
  const headers = signRequest({
    method,
    url,
    body,
    keyId: 'dev',
    key,
    created: now,
    nonce,
    purpose: 'svc-external-wake',
  });
  return { method, url, body, headers };
}

describe('the signature base', () => {
  const request = { method: 'POST', targetUri: 'https://svc.example.com/x', headers: { digest: undefined } };
  it.each([
    ['a header that is not there', 'date'],
    ['a header without a value', 'digest'],
    ['its own parameters', '@signature-params'],
    ['the status of an answer', '@status'],
    ['a part that nobody knows', '@unknown'],
  ])('covers no %s', (_, component) => {
    expect(signatureBase(request, ['@method', component], '()')).toBeUndefined();
  });
});

describe('a request that we sign', () => {
  const verifier = {
    id: 'dev',
    algs: ['hmac-sha256'],
    verify: async (data: Buffer, signature: Buffer) =>
      createHmac('sha256', key).update(data).digest().equals(signature),
  };
  const options = {
    keyLookup: async () => verifier,
    requiredFields: [...coveredComponents],
    requiredParams: ['created', 'nonce', 'keyid', 'tag'],
    notAfter: new Date((now + 1) * 1000),
  };

  it('is taken by another implementation', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('POST', 'DELETE', 'GET'),
        fc.array(fc.stringMatching(/^[a-z0-9%20-]{0,8}$/), { maxLength: 4 }),
        fc.string(),
        async (method, path, text) => {
          const { url, headers } = signed(
            method,
            new URL(`https://svc.example.com/${path.map(encodeURIComponent).join('/')}?q=1`).href,
            text,
          );
          expect(await httpbis.verifyMessage(options, { method, url, headers: { ...headers } })).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of another implementation is taken by us', async () => {
    const body = Buffer.from('{}');
    const url = 'https://svc.example.com/api/v1/external-wake';
    const { headers } = await httpbis.signMessage(
      {
        key: { id: 'dev', alg: 'hmac-sha256', sign: async (data) => createHmac('sha256', key).update(data).digest() },
        name: 'their',
        fields: [...coveredComponents],
        params: ['created', 'nonce', 'alg', 'keyid', 'tag'],
        paramValues: { created: new Date(now * 1000), nonce: 'n'.repeat(20), tag: 'svc-external-wake' },
      },
      { method: 'POST', url, headers: { 'content-digest': contentDigest(body) } },
    );
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const read = readClaim(lower, 'svc-external-wake');
    expect(read).toMatchObject({ ok: true, claim: { keyId: 'dev', created: now, nonce: 'n'.repeat(20) } });
    if (read.ok) {
      const request = { method: 'POST', targetUris: [url], headers: lower, rawBody: body };
      expect(isSignedBy(read.claim, request, [key])).toBe(true);
    }
  });
});

/** The last letter before the padding has two unused bits: a lax decoder takes four letters for one. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const otherLetter = (letter: string) => alphabet[alphabet.indexOf(letter) ^ 1]!;

describe('the claim of a request', () => {
  const { headers } = signed('POST', 'https://svc.example.com/x', '');
  const input = headers['signature-input']!;
  const rows: Record<string, [change: Record<string, string | undefined>, reason: string]> = {
    'without a signature': [{ signature: undefined }, 'it carries no signature'],
    'without the input': [{ 'signature-input': undefined }, 'it carries no signature'],
    'with two signatures': [{ 'signature-input': `${input}, b=()` }, 'the signature headers cannot be read'],
    'with a component twice': [
      { 'signature-input': input.replace('"@method"', '"@method" "@method"') },
      'the signature headers cannot be read',
    ],
    'with a parameter twice': [{ 'signature-input': `${input};keyid="x"` }, 'the signature headers cannot be read'],
    'under two labels': [
      { 'signature-input': input.replace('svc=', 'other=') },
      'the two signature headers speak of different signatures',
    ],
    'that does not cover the method': [
      { 'signature-input': input.replace('"@method" ', '') },
      'the signature does not cover @method',
    ],
    'that does not cover the address': [
      { 'signature-input': input.replace('"@target-uri" ', '') },
      'the signature does not cover @target-uri',
    ],
    'that does not cover the body': [
      { 'signature-input': input.replace(' "content-digest"', '') },
      'the signature does not cover content-digest',
    ],
    'with a component that is bound to something else': [
      { 'signature-input': input.replace('"@method"', '"@method";req') },
      'the signature headers cannot be read',
    ],
    'with a space that is not canonical': [
      { 'signature-input': input.replace('"@method" ', '"@method"  ') },
      'the signature headers cannot be read',
    ],
    'with a number in another spelling': [
      { 'signature-input': input.replace(/created=(\d+)/, 'created=0$1') },
      'the signature headers cannot be read',
    ],
    'with a token for a text': [
      { 'signature-input': input.replace('"hmac-sha256"', 'hmac-sha256') },
      'the signature headers cannot be read',
    ],
    'with base64 in another spelling': [
      { signature: headers['signature']!.replace(/.=:$/, (end) => `${otherLetter(end[0]!)}=:`) },
      'the signature headers cannot be read',
    ],
    'without a time': [
      { 'signature-input': input.replace(/;created=\d+/, '') },
      'the signature does not say when it was made',
    ],
    'without a key': [
      { 'signature-input': input.replace(/;keyid="[^"]*"/, '') },
      'the signature does not name its key',
    ],
    'with a short nonce': [
      { 'signature-input': input.replace(/;nonce="[^"]*"/, ';nonce="x"') },
      'the nonce must have 16 to 128 characters',
    ],
    'with another algorithm': [
      { 'signature-input': input.replace('hmac-sha256', 'ed25519') },
      'the algorithm must be hmac-sha256',
    ],
    'for another purpose': [
      { 'signature-input': input.replace('svc-external-wake', 'svc-notification') },
      'the signature is not for svc-external-wake',
    ],
    'with a parameter we do not know': [
      { 'signature-input': `${input};extra=1` },
      'the signature has the unknown parameter extra',
    ],
    'of a megabyte': [
      { 'signature-input': `${input};x="${'a'.repeat(1_000_000)}"` },
      'the signature headers cannot be read',
    ],
  };
  it.each(Object.entries(rows))('%s is refused', (_, [change, reason]) => {
    expect(readClaim({ ...headers, ...change }, 'svc-external-wake')).toEqual({ ok: false, reason });
  });

  it('is read or refused, never thrown at, whatever the headers hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(readClaim({ 'signature-input': a, signature: b }, 'svc-external-wake').ok).toBe(false);
      }),
    );
  });
});

describe('the digest', () => {
  it('speaks of exactly these bytes', () => {
    const body = Buffer.from('{"a": 1}');
    expect(digestMatches(contentDigest(body), body)).toBe(true);
    expect(digestMatches(contentDigest(body), Buffer.from('{"a":1}'))).toBe(false);
    expect(digestMatches('sha-256=::', body)).toBe(false);
    expect(digestMatches(contentDigest(body).replace('sha-256', 'md5'), body)).toBe(false);
    expect(digestMatches(`${contentDigest(body)}, sha-512=:AA==:`, body)).toBe(false);
  });
});

describe('keys', () => {
  const one = randomBytes(32).toString('base64');
  const two = randomBytes(48).toString('base64');
  it('are one a line, newest first', () => {
    expect(parseKeys(`${one}\n\n${two}\n`, 'it').map((bytes) => bytes.length)).toEqual([32, 48]);
  });
  it('may be plain text of 32 bytes', () => {
    expect(parseKeys('correct-horse-battery-staple-and-more', 'it')).toEqual([
      Buffer.from('correct-horse-battery-staple-and-more'),
    ]);
  });
  it.each([
    ['', 'it is empty'],
    ['short', 'it holds fewer than 32 bytes in line 1'],
    [`${one}\nshort`, 'it holds fewer than 32 bytes in line 2'],
  ])('%j are refused', (text, message) => {
    expect(() => parseKeys(text, 'it')).toThrow(message);
  });
  it('carry a cluster name of any letters', () => {
    expect(keyIdOf('Müller "east"')).toBe('M%C3%BCller%20%22east%22');
  });
});
