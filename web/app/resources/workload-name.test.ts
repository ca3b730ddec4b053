import { describe, expect, it } from 'vitest';
import { beginsWith, workloadAddress } from './workload-name.ts';

describe('a sentence', () => {
  it('is told apart into its workload and the rest', () => {
    expect(beginsWith('Deployment media/gpu-upscaler was still Unschedulable after 15 minutes')).toEqual({
      workload: { kind: 'Deployment', namespace: 'media', name: 'gpu-upscaler' },
      rest: ' was still Unschedulable after 15 minutes',
    });
  });

  it('may put a colon after the workload', () => {
    expect(beginsWith('CronJob shop/a.b: svc could not scale it down')).toEqual({
      workload: { kind: 'CronJob', namespace: 'shop', name: 'a.b' },
      rest: ': svc could not scale it down',
    });
  });

  it('without a workload is left whole', () => {
    expect(beginsWith('Database orders: available')).toBeUndefined();
    expect(beginsWith('Service shop/cart still points at its satellite')).toBeUndefined();
  });

  it('may be about a kind that the configuration describes', () => {
    expect(beginsWith('Pool shop/main did not finish')?.workload.kind).toBe('Pool');
  });

  it('leads to why', () => {
    expect(workloadAddress({ kind: 'Deployment', namespace: 'shop', name: 'cart' })).toBe(
      '/resources/Deployment/shop/cart',
    );
  });
});
