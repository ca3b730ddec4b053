import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Address, normaliseDomain, parseAddress } from './address.ts';
import { isAdmin, isAllowedDomain } from './allowed-domains-and-admins.ts';
import { shownAddress } from './privacy.ts';

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.message}`);
  return parsed.address;
}

const notOne = 'The address must contain one @.';
const hidden = 'The address contains a space, a line break or an invisible character.';
const mailbox = 'The part before the @ is not a plain mailbox name.';
const domain = 'The part after the @ is not a domain name.';

describe('an address', () => {
  const accepted: Record<string, string> = {
    'ada@example.com': 'ada@example.com',
    ' Ada.Lovelace@Example.COM\n': 'ada.lovelace@example.com',
    "o'neil+svc@mail.example.co.uk": "o'neil+svc@mail.example.co.uk",
    'ada@localhost': 'ada@localhost',
    'jürgen@bücher.example': 'jürgen@xn--bcher-kva.example',
    'ada@XN--Bcher-kva.example': 'ada@xn--bcher-kva.example',
  };
  for (const [text, normal] of Object.entries(accepted)) {
    it(`${JSON.stringify(text)} is ${normal}`, () => expect(address(text).text).toBe(normal));
  }

  const refused: Record<string, string> = {
    '': 'An e-mail address is needed.',
    ada: notOne,
    'ada@evil.example@example.com': notOne,
    '@example.com': mailbox,
    'ada@': domain,
    'ada lovelace@example.com': hidden,
    'ada@example.com\r\nBcc: eve@example.com': hidden,
    'ada\u0000@example.com': hidden,
    'ada\u200b@example.com': hidden,
    'ada\u202e@example.com': hidden,
    '"ada"@example.com': mailbox,
    'Ada <ada@example.com>': hidden,
    'ada,eve@example.com': mailbox,
    // A mail server may read these as a way to another one (RFC 5321, appendix F.2, and the ways of UUCP).
    'alice%evil.test@example.com': mailbox,
    'evil.test!alice@example.com': mailbox,
    'alice%@example.com': mailbox,
    // Aliases that some servers take for a file or a program.
    '|sh@example.com': mailbox,
    '/tmp/x@example.com': mailbox,
    '.ada@example.com': mailbox,
    'a..da@example.com': mailbox,
    'ａda@example.com': mailbox,
    'ada@example..com': domain,
    'ada@-example.com': domain,
    'ada@exam_ple.com': domain,
    'ada@[127.0.0.1]': domain,
    'ada@127.0.0.1': domain,
    'ada@exa%6dple.com': domain,
    'ada@ｅxample.com': domain,
    'ada@ｅxämple.com': domain,
    'ada@example。com': domain,
    'ada@\u212Aube.example': domain,
    [`${'a'.repeat(65)}@example.com`]: mailbox,
    [`ada@${'a'.repeat(300)}.com`]: 'The address is longer than 254 bytes.',
  };
  for (const [text, message] of Object.entries(refused)) {
    it(`is not ${JSON.stringify(text).slice(0, 60)}`, () => expect(parseAddress(text)).toEqual({ ok: false, message }));
  }

  it('never makes the parser throw, and its normal form is its own normal form', () => {
    const anyCharacter = fc.nat(0x2fff).map((code) => String.fromCodePoint(code));
    const almost = fc
      .tuple(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }))
      .map((parts) => parts.join('@'));
    fc.assert(
      fc.property(fc.oneof(almost, fc.emailAddress(), fc.string()), (text) => {
        const parsed = parseAddress(text);
        if (parsed.ok) expect(parseAddress(parsed.address.text)).toEqual(parsed);
      }),
      { numRuns: 300 },
    );
  });

  it('has a domain in one form only', () => {
    expect(normaliseDomain('EXAMPLE.com')).toBe('example.com');
    expect(normaliseDomain('Bücher.example')).toBe(normaliseDomain('xn--bcher-kva.example'));
    expect(normaliseDomain('*.example.com')).toBeUndefined();
  });
});

describe('who may sign in', () => {
  const rows: [string, string, readonly string[], boolean][] = [
    ['every domain while none is listed', 'ada@example.com', [], true],
    ['a listed domain, in any case', 'ada@EXAMPLE.com', ['Example.Com'], true],
    ['no subdomain of a listed domain', 'ada@mail.example.com', ['example.com'], false],
    ['no domain that ends like a listed one', 'ada@notexample.com', ['example.com'], false],
    ['no domain with Cyrillic letters in place of Latin ones', 'ada@ex\u0430mple.com', ['example.com'], false],
    ['an international domain, written either way', 'ada@xn--bcher-kva.example', ['bücher.example'], true],
    ['nobody through an entry that is no domain', 'ada@example.com', ['@example.com', ''], false],
  ];
  for (const [name, text, allowed, expected] of rows) {
    it(name, () => expect(isAllowedDomain(address(text), allowed)).toBe(expected));
  }
});

describe('who is an admin', () => {
  const rows: [string, string, readonly string[], boolean][] = [
    ['a listed address, in any case', 'ADA@example.com', ['ada@Example.com'], true],
    ['nobody while none is listed', 'ada@example.com', [], false],
    ['no address with a Cyrillic a', '\u0430da@example.com', ['ada@example.com'], false],
    ['no address with a dotless i', 'ad\u0131@example.com', ['adi@example.com'], false],
    ['no address with a tag', 'ada+x@example.com', ['ada@example.com'], false],
    ['nobody through an entry that is no address', 'ada@example.com', ['example.com', '*@example.com'], false],
  ];
  for (const [name, text, admins, expected] of rows) {
    it(name, () => expect(isAdmin(address(text), admins)).toBe(expected));
  }
});

describe('an address as it is shown', () => {
  const privacy = { anonymizeLogsEnabled: true, domains: ['Example.com', 'bücher.example'] };
  const rows: Record<string, string> = {
    'ada@example.com': 'a***@example.com',
    'ADA@EXAMPLE.COM': 'a***@example.com',
    'al@example.com': '***@example.com',
    'a***@example.com': 'a***@example.com',
    'ada@mail.example.com': 'ada@mail.example.com',
    'ada@other.example': 'ada@other.example',
    'jürgen@bücher.example': 'j***@xn--bcher-kva.example',
    'not an address of@example.com': 'n***@example.com',
    configuration: 'configuration',
    schedule: 'schedule',
    'example.com': 'example.com',
  };
  for (const [text, shown] of Object.entries(rows)) {
    it(`${text} is ${shown}`, () => expect(shownAddress(text, privacy)).toBe(shown));
  }

  it('is unchanged while no domain is listed, or while it is switched off', () => {
    expect(shownAddress('Ada@example.com', { anonymizeLogsEnabled: true, domains: [] })).toBe('Ada@example.com');
    expect(shownAddress('Ada@example.com', { ...privacy, anonymizeLogsEnabled: false })).toBe('Ada@example.com');
  });

  it('stays the same when it is shortened twice, and keeps at most one letter of the name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z.]{1,20}$/), (local) => {
        const shown = shownAddress(`${local}@example.com`, privacy);
        expect(shownAddress(shown, privacy)).toBe(shown);
        expect(shown).toMatch(/^.?\*\*\*@example\.com$/);
      }),
    );
  });
});
