import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseOrigin } from './origin.ts';

describe('an origin that is a place to go back to', () => {
  const rows: [string, string, string][] = [
    ['https://shop.example.com/cart?x=1#top', 'https://shop.example.com/cart?x=1#top', 'shop.example.com'],
    ['http://shop.example.com', 'http://shop.example.com/', 'shop.example.com'],
    ['HTTPS://Shop.Example.com:8443/', 'https://shop.example.com:8443/', 'shop.example.com:8443'],
    ['https://[2001:db8::1]:3000/a', 'https://[2001:db8::1]:3000/a', '[2001:db8::1]:3000'],
    ['https://10.0.0.1/', 'https://10.0.0.1/', '10.0.0.1'],
    ['https://a.example/?mail=x@y.example', 'https://a.example/?mail=x@y.example', 'a.example'],
    ['https://a.example/@user', 'https://a.example/@user', 'a.example'],
  ];
  it.each(rows)('%s', (text, url, host) => {
    expect(parseOrigin(text)).toEqual({ ok: true, url, host });
  });
});

describe('an origin that is refused', () => {
  const rows: [string, string][] = [
    ['nothing', ''],
    ['another scheme', 'javascript:alert(1)'],
    ['another scheme in capitals', 'JavaScript:alert(1)'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['a file', 'file:///etc/passwd'],
    ['ftp', 'ftp://a.example/'],
    ['no scheme', 'a.example'],
    ['the same scheme', '//evil.example/'],
    ['a path', '/cart'],
    ['a backslash for a slash', 'https:\\\\evil.example'],
    ['a backslash in the host', 'https://a.example\\@evil.example/'],
    ['a backslash after the host', 'https://a.example\\.evil.example/'],
    ['three slashes', 'https:///evil.example'],
    ['a user', 'https://a.example@evil.example/'],
    ['an empty user', 'https://@evil.example/'],
    ['a user and a password', 'https://a:b@evil.example/'],
    ['a line break', 'https://a.example/\nSet-Cookie: x'],
    ['a carriage return', 'https://a.example/\r'],
    ['a tab', 'java\tscript:alert(1)'],
    ['a leading space', ' https://a.example'],
    ['a null', 'https://a.example/\u0000'],
    ['no host', 'https://'],
    ['a host that is none', 'https://a b/'],
    ['a very long one', `https://a.example/${'x'.repeat(2048)}`],
  ];
  it.each(rows)('%s', (_, text) => {
    expect(parseOrigin(text).ok).toBe(false);
  });

  it('is anything whose result would not be http or https to the shown host', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((part) => `https://${part}`),
        ),
        (text) => {
          const parsed = parseOrigin(text);
          if (!parsed.ok) return;
          const url = new URL(parsed.url);
          expect(url.protocol).toMatch(/^https?:$/);
          expect([url.username, url.password, url.host]).toEqual(['', '', parsed.host]);
          expect(parseOrigin(parsed.url)).toEqual(parsed);
        },
      ),
    );
  });
});
