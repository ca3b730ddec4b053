import { describe, expect, it } from 'vitest';
import { secretVariable } from './process-environment.ts';

const name = 'INTERNAL_API_SECRET';
const good = 'x'.repeat(32);

describe('a secret from the environment', () => {
  it('is taken without the line break that a text editor leaves at its end', () => {
    for (const end of ['', '\n', '\r\n', '\n\n']) expect(secretVariable({ [name]: good + end }, name)).toBe(good);
  });

  const refused: Readonly<Record<string, readonly [string | undefined, string]>> = {
    'is missing': [undefined, 'The environment variable INTERNAL_API_SECRET is not set.'],
    'is a line break': ['\n', 'The environment variable INTERNAL_API_SECRET is not set.'],
    'has one character': [
      'x',
      'INTERNAL_API_SECRET is shorter than 32 bytes; generate one with: openssl rand -base64 32',
    ],
    'has 31 bytes and a line break': [
      `${'x'.repeat(31)}\n`,
      'INTERNAL_API_SECRET is shorter than 32 bytes; generate one with: openssl rand -base64 32',
    ],
    'cannot be sent in a header': [
      `${good}\n${good}`,
      'INTERNAL_API_SECRET must be printable ASCII without spaces; generate one with: openssl rand -base64 32',
    ],
  };
  for (const [title, [value, message]] of Object.entries(refused)) {
    it(`that ${title} stops the start`, () => {
      expect(() => secretVariable(value === undefined ? {} : { [name]: value }, name)).toThrow(new Error(message));
    });
  }
});
