import { expect, it } from 'vitest';
import { planLine } from './plan-lines.ts';

it('a dry run is told in a line', () => {
  const reason = 'Hibernated until Tuesday 08:00 (Europe/Berlin): Monday is off';
  const hibernate = [
    { tier: 'everything else', workloads: ['Deployment shop/web', 'Deployment shop/cart'] },
    { tier: 'data', workloads: ['StatefulSet shop/db'] },
  ];
  expect(planLine({ reason, hibernate, wake: [], skipped: [{}] })).toBe(
    `dry run: ${reason}; would take down: everything else 2, data 1; 1 left alone`,
  );
  expect(planLine({ reason: 'Awake', hibernate: [], wake: [], skipped: [] })).toBe(
    'dry run: Awake; nothing to do; 0 left alone',
  );
});
