import { describe, expect, it } from 'vitest';
import { acceptedToken, type Rank, type SaidOfToken, tokenName } from '../../platform/token-name.ts';
import { KnownTokens, mostKnownTokens, mostKnownTokensOfPerson } from './known-tokens.ts';

const accepted = (person: string, rank: Rank = 'outside'): SaidOfToken => ({ token: acceptedToken, person, rank });
const issued = (token: string, person: string, rank: Rank = 'outside'): SaidOfToken => ({ token, person, rank });

describe('tokens that the API has spoken of', () => {
  const known = (tokens: KnownTokens, ...names: (string | undefined)[]) =>
    names.map((name) => tokens.holderOf(name) !== undefined);

  it('are known once accepted or issued, until one is refused', () => {
    const tokens = new KnownTokens();
    const shown = tokens.nameOf('Bearer a.b.c');
    tokens.learn(shown, 404, undefined);
    expect(known(tokens, shown)).toEqual([false]);
    tokens.learn(shown, 403, accepted('ada', 'admin'));
    tokens.learn(undefined, 200, issued(tokenName('fresh'), 'bob'));
    tokens.learn(shown, 503, undefined);
    expect(tokens.holderOf(shown)).toMatchObject({ person: 'ada', rank: 'admin' });
    expect(tokens.holderOf(tokens.nameOf('bearer fresh'))).toMatchObject({ person: 'bob', rank: 'outside' });
    tokens.learn(shown, 401, undefined);
    expect(known(tokens, shown, undefined, acceptedToken)).toEqual([false, false, false]);
    tokens.learn(undefined, 200, accepted('bob'));
    expect(known(tokens, acceptedToken)).toEqual([false]);
  });

  it('of one person are so many; the one that was used longest ago goes', () => {
    const tokens = new KnownTokens();
    tokens.learn('another', 200, accepted('ada'));
    for (let index = 0; index < mostKnownTokensOfPerson; index++) tokens.learn(`t${index}`, 200, accepted('bob'));
    tokens.learn('t0', 200, accepted('bob'));
    tokens.learn(undefined, 200, issued('one more', 'bob'));
    expect(known(tokens, 'another', 't0', 't1', 't2', 'one more')).toEqual([true, true, false, true, true]);
  });

  it('are so many in all; who has the most loses one, however many people come', () => {
    const tokens = new KnownTokens();
    tokens.learn('ada', 200, accepted('ada'));
    tokens.learn('bob', 200, accepted('bob'));
    for (let index = 0; index < mostKnownTokens; index++) {
      tokens.learn(`t${index}`, 200, accepted(`stranger ${index % 300}`));
    }
    expect(known(tokens, 'ada', 'bob', 't0', 't1', 't2', `t${mostKnownTokens - 1}`)).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it('of admins and of people of the company stay when strangers come, one with each token', () => {
    const tokens = new KnownTokens();
    tokens.learn('admin 1', 200, accepted('ada', 'admin'));
    tokens.learn('admin 2', 200, accepted('ada', 'admin'));
    tokens.learn('colleague', 200, accepted('bob', 'company'));
    tokens.learn('first', 200, accepted('first'));
    for (let index = 0; index < mostKnownTokens; index++) tokens.learn(`t${index}`, 200, accepted(`stranger ${index}`));
    expect(known(tokens, 'admin 1', 'admin 2', 'colleague', 'first')).toEqual([true, true, true, false]);
  });

  it('stand for what the API said last of whom they belong to', () => {
    const tokens = new KnownTokens();
    for (const name of ['old', 'new']) tokens.learn(name, 200, accepted('ada', 'admin'));
    tokens.learn('new', 403, accepted('ada', 'company'));
    expect(['old', 'new'].map((name) => tokens.holderOf(name)?.rank)).toEqual(['company', 'company']);
  });
});
