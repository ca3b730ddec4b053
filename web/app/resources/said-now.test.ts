import { describe, expect, it } from 'vitest';
import { transition } from '../../fixtures/transition.ts';
import { saidNow } from './said-now.ts';

const upscaler = { kind: 'Deployment', namespace: 'media', name: 'gpu-upscaler' };

describe('what the wake that runs says of a workload', () => {
  it('is its sentence', () => {
    expect(saidNow(upscaler, transition())).toMatch(/^Deployment media\/gpu-upscaler /);
  });

  it('is nothing of another, and nothing once the wake has ended', () => {
    expect(saidNow({ ...upscaler, name: 'gpu' }, transition())).toBeUndefined();
    expect(saidNow(upscaler, transition({ endedAt: 1 }))).toBeUndefined();
    expect(saidNow(upscaler, undefined)).toBeUndefined();
  });
});
