import { describe, expect, it } from 'vitest';
import { type KnownScope, lastsMs, scopeChanges } from './scope-changes.ts';

const scope = (...keys: string[]) => new Set(keys);

/** Looks at each scope in turn and lists what was told, with when. */
function told(looks: readonly (readonly [at: number, scope: ReadonlySet<string>])[]) {
  let known: KnownScope | undefined;
  return looks.flatMap(([at, seen]) => {
    const changes = scopeChanges(known, seen, at);
    known = changes.known;
    const { added, removed } = changes;
    return added.length + removed.length === 0 ? [] : [[at, added, removed]];
  });
}

describe('the scope by day', () => {
  it('is not told of at the start', () => {
    expect(told([[0, scope('a', 'b')]])).toEqual([]);
  });

  it('changes once a change has lasted, and says when to look', () => {
    const { known } = scopeChanges(undefined, scope('a'), 0);
    const { known: differing, waitMs } = scopeChanges(known, scope('a', 'b'), 100);
    expect(waitMs).toBe(lastsMs);
    expect(scopeChanges(differing, scope('a', 'b'), 40_100).waitMs).toBe(lastsMs - 40_000);
    expect(scopeChanges(differing, scope('a', 'b'), 100 + lastsMs)).toMatchObject({ added: ['b'], removed: [] });
  });

  it('is as it was when what went comes back in time', () => {
    const looks = [scope('a'), scope(), scope('a'), scope('a')].map((seen, index) => [index * 50_000, seen] as const);
    expect(told(looks)).toEqual([]);
  });

  it('tells together what came within half a minute, and the rest after it', () => {
    expect(
      told([
        [0, scope('gone')],
        [1_000, scope('a')],
        [20_000, scope('a', 'b')],
        [50_000, scope('a', 'b', 'c')],
        [61_000, scope('a', 'b', 'c')],
        [110_000, scope('a', 'b', 'c')],
      ]),
    ).toEqual([
      [61_000, ['a', 'b'], ['gone']],
      [110_000, ['c'], []],
    ]);
  });
});
