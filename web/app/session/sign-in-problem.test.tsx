import { prerender } from 'react-dom/static';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/contract/contract.ts';
import { SignInProblem } from './email-form.tsx';
import { whenAgain } from './when-again.ts';

async function shown(error: Error): Promise<string> {
  const { prelude } = await prerender(<SignInProblem error={error} />);
  return (await new Response(prelude).text())
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, '')
    .trim();
}

const message = 'Too many codes were asked for this address: five may be, and then one every five minutes.';

describe('a limit that somebody meets while signing in', () => {
  it('is named, with when one may try again', async () => {
    const met = new ApiError(429, { code: 'rate_limited', message }, '287');
    expect(await shown(met)).toBe(`${message} Try again in 5 minutes.`);
  });

  it('is also named where there is too much to do', async () => {
    const full = new ApiError(503, { code: 'overloaded', message: 'There is too much to do just now.' }, '5');
    expect(await shown(full)).toBe('There is too much to do just now. Try again in 5 seconds.');
  });

  it('promises no time where none was said', async () => {
    expect(await shown(new ApiError(400, { code: 'invalid_code', message: 'Wrong.' }, null))).toBe('Wrong.');
  });
});

it.each([
  [0, 'Try again in a second.'],
  [89, 'Try again in 89 seconds.'],
  [90, 'Try again in 2 minutes.'],
  [3_600, 'Try again in 60 minutes.'],
  [5_401, 'Try again in 2 hours.'],
])('%i seconds are said in words', (seconds, words) => {
  expect(whenAgain(seconds)).toBe(words);
});
