import { describe, expect, it } from 'vitest';
import { acceptedToken, tokenName } from '../../platform/token-name.ts';
import { KnownTokens, mostKnownTokens } from './known-tokens.ts';

describe('tokens that the API has spoken of', () => {
  it('are known once accepted or issued, until one is refused', () => {
    const tokens = new KnownTokens();
    const shown = tokens.nameOf('Bearer a.b.c');
    tokens.learn(shown, 404, undefined);
    expect(tokens.has(shown)).toBe(false);
    tokens.learn(shown, 403, acceptedToken);
    tokens.learn(undefined, 200, tokenName('fresh'));
    tokens.learn(shown, 503, undefined);
    expect([tokens.has(shown), tokens.has(tokens.nameOf('bearer fresh'))]).toEqual([true, true]);
    tokens.learn(shown, 401, undefined);
    expect([tokens.has(shown), tokens.has(undefined), tokens.has(acceptedToken)]).toEqual([false, false, false]);
    tokens.learn(undefined, 200, acceptedToken);
    expect(tokens.has(acceptedToken)).toBe(false);
  });

  it('are so many; the one that was used longest ago goes', () => {
    const tokens = new KnownTokens();
    for (let index = 0; index < mostKnownTokens; index++) tokens.learn(`t${index}`, 200, acceptedToken);
    tokens.learn('t0', 200, acceptedToken);
    tokens.learn('one more', 200, acceptedToken);
    expect(['t0', 't1', 't2', 'one more'].map((name) => tokens.has(name))).toEqual([true, false, true, true]);
  });
});
