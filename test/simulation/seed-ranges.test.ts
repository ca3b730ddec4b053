import { describe, expect, it } from 'vitest';
import { replayOf, seedRanges } from './seed-ranges.ts';

const commit = 'abc5565f00000000000000000000000000000000';

describe('the seeds of a run', () => {
  it('are a part that stays and a part that is drawn from the commit', () => {
    const [fixed, fresh] = seedRanges({}, commit);
    expect(fixed).toMatchObject({ from: 1, seeds: 110 });
    expect(fresh).toMatchObject({ from: 1_000_000 + 0xabc5565, seeds: 100 });
    expect(fresh?.origin).toBe('drawn from commit abc5565f0000');
  });

  it('are others with another commit, and the same with the same', () => {
    const freshOf = (text: string) => seedRanges({}, text)[1]?.from;
    expect(freshOf(commit)).toBe(freshOf(commit));
    expect(freshOf(commit)).not.toBe(freshOf(`0${commit.slice(1)}`));
  });

  it('are those that were asked for, and no others', () => {
    expect(seedRanges({ seeds: '40', from: '7' }, commit)).toMatchObject([{ from: 7, seeds: 40 }]);
    expect(seedRanges({ seeds: '40' }, commit)).toMatchObject([{ from: 1, seeds: 40 }]);
    expect(seedRanges({ from: '7' }, commit)).toMatchObject([{ from: 7, seeds: 210 }]);
  });

  it('are 210 outside a repository too', () => {
    expect(seedRanges({}, undefined)).toMatchObject([{ from: 1, seeds: 210 }]);
  });

  it('are played again by the command that is printed, whatever the commit is by then', () => {
    const fresh = seedRanges({}, commit)[1]!;
    expect(replayOf(fresh)).toBe(`npm run test:simulation -- --seeds 100 --from ${fresh.from}`);
  });
});
