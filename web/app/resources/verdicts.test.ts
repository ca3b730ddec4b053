import { describe, expect, it } from 'vitest';
import { transition } from '../../fixtures/transition.ts';
import { verdictsOn } from './verdicts.ts';

const upscaler = { kind: 'Deployment', namespace: 'media', name: 'gpu-upscaler' };
const sentence = 'Deployment media/gpu-upscaler was still Unschedulable after 15 minutes';
const entry = {
  id: 'wake-1-ended',
  at: '2026-11-02T07:20:00.000Z',
  kind: 'wake-failed',
  title: 'Wake Complete - 2 workloads failed',
  actor: 'schedule',
  workloads_failed_detail: [sentence, 'Deployment media/gpu-upscaler-2 was still Unschedulable after 15 minutes'],
};

describe('what was said of a workload', () => {
  it('is of the running wake first, then of those before', () => {
    expect(verdictsOn(upscaler, transition(), [entry])).toEqual([{ sentence }, { sentence, entry }]);
  });

  it('is not said twice of a wake that has ended and is in the log', () => {
    expect(verdictsOn(upscaler, transition({ endedAt: 1 }), [entry])).toEqual([{ sentence, entry }]);
  });

  it('is nothing where nothing was said', () => {
    expect(verdictsOn({ ...upscaler, name: 'gpu' }, transition(), [entry])).toEqual([]);
  });
});
