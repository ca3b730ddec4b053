import { describe, expect, it } from 'vitest';
import { workloadLines } from './workload-lines.ts';

describe('what a wake said of its workloads', () => {
  it('has a recovery in the place of its casualty, not after all of them', () => {
    const lines = workloadLines({
      workloads_failed_detail: [
        'Deployment shop/cart was still Unschedulable after 15 minutes',
        'StatefulSet shop/db could not pull its image in 15 minutes',
      ],
      workloads_recovered_detail: ['Deployment shop/mail restarted twice before it was ready, came up 2 minutes later'],
    });
    expect(lines.map(({ sentence, recovered }) => [sentence.split(' ')[1], recovered])).toEqual([
      ['shop/cart', false],
      ['shop/mail', true],
      ['shop/db', false],
    ]);
  });

  it('is nothing for an entry of another kind', () => expect(workloadLines({})).toEqual([]));
});
