import { describe, expect, it } from 'vitest';
import { transition } from '../../fixtures/transition.ts';
import { casualties, countOf, criticalPath, ranked, tierCounts, untoldOf } from './ranking.ts';

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

  it('counts what a frame only counts', () => {
    const large = { ...backends!, untold: { up: 1_000, waiting: 20, left: 3 } };
    expect(tierCounts(large)).toEqual({ up: 1_001, failed: 1, total: 1_024 });
    expect(countOf({ ...progress, tiers: [large] }, 'waiting')).toBe(20);
    expect([untoldOf(large), untoldOf(backends!)]).toEqual([1_023, 0]);
  });

  it('tells where the time went', () => {
    const now = progress.startedAt + 6 * 60_000;
    expect(criticalPath(transition(), now)).toEqual([
      { name: 'data', ms: 120_000, longest: false },
      { name: 'backends', ms: 240_000, longest: true },
    ]);
  });

  it('tells at the end who the time was spent on, as the controller says', () => {
    const heldBy = { kind: 'workload', name: 'Deployment shop/cart', ms: 200_000 } as const;
    const steps = [
      { tier: 'data', ms: 1_000 },
      { tier: 'backends', ms: 200_000, heldBy },
    ];
    const outcome = {
      title: 'Wake Complete',
      result: 'success',
      criticalPath: { totalMs: 201_000, steps, settlingMs: 0 },
    };
    expect(criticalPath({ ...transition(), outcome }, 0)).toEqual([
      { name: 'data', ms: 1_000, longest: false },
      { name: 'backends', ms: 200_000, longest: true, heldBy },
    ]);
  });
});
