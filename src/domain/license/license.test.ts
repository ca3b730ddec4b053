import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatLicense, licensePayload, readBlock, readPayload } from './license.ts';

const license = {
  id: 'l1',
  licensee: 'Example Corp',
  issuedAt: Date.parse('2026-01-01T00:00:00Z'),
  expiresAt: Date.parse('2027-01-01T00:00:00Z'),
};
const signature = new Uint8Array(64).fill(7);
const text = formatLicense({ payload: licensePayload(license), signature });

describe('the text of a license', () => {
  it('stands between its two lines', () => {
    expect(text).toMatch(/^-----BEGIN SVC LICENSE-----\n[A-Za-z0-9+/=\n]+\n-----END SVC LICENSE-----\n$/);
  });

  it('is read with white space around it and its lines, and with Windows line ends', () => {
    const block = readBlock(text);
    expect(readBlock(`\n\n  ${text.replaceAll('\n', ' \r\n  ')}\n`)).toEqual(block);
    expect(block.ok && block.value.signature).toEqual(signature);
    expect(block.ok && readPayload(block.value.payload)).toEqual({ ok: true, value: license });
  });

  const begins = 'The license must begin with the line -----BEGIN SVC LICENSE-----.';
  const ends = 'The license must end with the line -----END SVC LICENSE-----.';
  const refused: Record<string, [string, string]> = {
    nothing: ['', begins],
    'text before it': [`x\n${text}`, begins],
    'text after it': [`${text}x`, ends],
    'a block of something else': [text.replaceAll('SVC LICENSE', 'CERTIFICATE'), begins],
    'a block cut off': [text.slice(0, 60), ends],
    'a beginning alone': ['-----BEGIN SVC LICENSE-----', ends],
    'two blocks': [text + text, 'The text between the two lines of the license is not base64.'],
    'text that is not base64': [
      text.replace('eyJ', 'e!J'),
      'The text between the two lines of the license is not base64.',
    ],
    'base64 with an appended letter': [
      text.replace('\n-----END', 'A\n-----END'),
      'The text between the two lines of the license is not base64.',
    ],
    'a block without a signature': [
      '-----BEGIN SVC LICENSE-----\nAAAA\n-----END SVC LICENSE-----',
      'The license is too short to hold a signature.',
    ],
  };
  for (const [name, [given, message]] of Object.entries(refused)) {
    it(`is not ${name}`, () => expect(readBlock(given)).toEqual({ ok: false, message }));
  }

  it('has one form only: ignored bits of the last letter must be zero', () => {
    const padded = formatLicense({ payload: new Uint8Array(3), signature: new Uint8Array(64) });
    expect(padded).toContain('AA==\n-----END');
    expect(readBlock(padded).ok).toBe(true);
    expect(readBlock(padded.replace('AA==', 'AB=='))).toEqual({
      ok: false,
      message: 'The text between the two lines of the license is not base64.',
    });
  });

  it('comes back as it was, whatever the bytes; and no text makes the reader throw', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(bytes, fc.uint8Array({ minLength: 64, maxLength: 64 }), (payload, signature) => {
        const block = readBlock(formatLicense({ payload, signature }));
        expect(block.ok && [...block.value.payload]).toEqual([...payload]);
        expect(block.ok && [...block.value.signature]).toEqual([...signature]);
        readPayload(payload);
      }),
    );
    fc.assert(fc.property(fc.string(), (any) => void readBlock(any)));
  });
});

describe('the payload of a license', () => {
  const refused: Record<string, [string, string]> = {
    'text that is no JSON': ['{', 'The license holds no JSON.'],
    null: ['null', 'The license is of a version that this release does not know.'],
    'another version': ['{"version":2}', 'The license is of a version that this release does not know.'],
    'no licensee': ['{"version":1,"id":"x"}', 'The license names no licensee.'],
    'no date of issue': ['{"version":1,"id":"x","licensee":"y"}', 'The license has a date that cannot be read.'],
    'an expiry that is no date': [
      '{"version":1,"id":"x","licensee":"y","issuedAt":"2026-01-01T00:00:00Z","expiresAt":"never"}',
      'The license has a date that cannot be read.',
    ],
    'an expiry of null': [
      '{"version":1,"id":"x","licensee":"y","issuedAt":"2026-01-01T00:00:00Z","expiresAt":null}',
      'The license has a date that cannot be read.',
    ],
  };
  for (const [name, [json, message]] of Object.entries(refused)) {
    it(`is not ${name}`, () => expect(readPayload(new TextEncoder().encode(json))).toEqual({ ok: false, message }));
  }
});
