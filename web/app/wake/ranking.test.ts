import { describe, expect, it } from 'vitest';
import { transition } from '../../fixtures/transition.ts';
import { readTransition } from '../data/transition.ts';
import { casualties, countOf, criticalPath, ranked, tierCounts } from './ranking.ts';

const { progress } = transition();
const [data, backends] = progress.tiers;

describe('a live wake', () => {
  it('names casualties first, then what is on its way, then what is up', () => {
    expect(ranked(backends!.workloads).map(({ phase }) => phase)).toEqual(['failed', 'starting', 'cluster', 'up']);
  });

  it('keeps a recovered workload in the place of its failure', () => {
    expect(casualties(progress).map(({ workload, phase }) => [workload, phase])).toEqual([
      ['Deployment media/gpu-upscaler', 'failed'],
      ['StatefulSet search/search-data', 'recovered'],
    ]);
    expect(ranked(data!.workloads)[0]?.phase).toBe('recovered');
  });

  it('does not move a line when its workload recovers', () => {
    const failed = ['a', 'b'].map((workload) => ({ workload, phase: 'failed' as const, sentence: '' }));
    const names = (list: (typeof progress.tiers)[number]['workloads']) => ranked(list).map(({ workload }) => workload);
    expect(names(failed)).toEqual(['a', 'b']);
    expect(names([{ ...failed[0]!, phase: 'recovered' }, failed[1]!])).toEqual(['a', 'b']);
  });

  it('counts what a tier has up', () => {
    expect(tierCounts(data!)).toEqual({ up: 2, failed: 0, total: 2 });
    expect(tierCounts(backends!)).toEqual({ up: 1, failed: 1, total: 4 });
    expect(countOf(progress, 'waiting')).toBe(1);
  });

  it('tells where the time went', () => {
    const now = progress.startedAt + 6 * 60_000;
    expect(criticalPath(progress, now)).toEqual([
      { name: 'data', ms: 120_000, longest: false },
      { name: 'backends', ms: 240_000, longest: true },
    ]);
  });
});

describe('a frame of the stream', () => {
  it('is taken as it is', () => {
    expect(readTransition(JSON.parse(JSON.stringify(transition())))).toEqual(transition());
  });

  const broken: [string, unknown][] = [
    ['nothing', null],
    ['a text', 'wake'],
    ['another kind', { ...transition(), kind: 'nap' }],
    ['no progress', { kind: 'wake', trigger: { actor: 'a', cause: 'b' } }],
    ['tiers that are none', { ...transition(), progress: { ...progress, tiers: [{ name: 1 }] } }],
  ];
  it.each(broken)('is left out when it is %s', (_, payload) => {
    expect(readTransition(payload)).toBeUndefined();
  });
});
