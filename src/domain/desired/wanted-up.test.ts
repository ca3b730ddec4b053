import { describe, expect, it } from 'vitest';
import type { DesiredState } from './desired-state.ts';
import { wantedForWorkload } from './wanted-up.ts';

const reason = { code: 'working_hours', text: '' } as const;
const base: DesiredState = {
  wanted: 'awake',
  acting: true,
  reason,
  keepAwake: [],
  external: false,
  heldBy: [],
  causes: [],
};
const by = { cluster: 'shop-dev', until: 0 };
const cart = { kind: 'Deployment', namespace: 'shop', name: 'cart' } as const;

describe('what is wanted of a workload', () => {
  const rows: Record<string, [desired: Partial<DesiredState>, excluded: string[], wanted: string]> = {
    'up while the cluster is awake': [{}, [], 'up'],
    'up in working hours, whatever external wakes must not wake': [{}, ['shop'], 'up'],
    'down while the cluster hibernates': [{ wanted: 'hibernated' }, [], 'down'],
    'up on a handback': [{ wanted: 'handback' }, ['shop'], 'up'],
    'left alone when nothing is scaled': [{ wanted: 'nothing' }, [], 'leave'],
    'up while a session keeps the cluster awake': [{ external: true }, ['auth'], 'up'],
    'down in a namespace that sessions must not wake': [{ external: true }, ['sh*'], 'down'],
    'up when a session names it': [
      { wanted: 'hibernated', keepAwake: [{ namespace: 'shop', name: 'cart', ...by }] },
      [],
      'up',
    ],
    'down when a session names another': [
      { wanted: 'hibernated', keepAwake: [{ namespace: 'auth', ...by }] },
      [],
      'down',
    ],
    'down when a session names it where sessions must not wake': [
      { wanted: 'hibernated', keepAwake: [{ namespace: 'shop', ...by }] },
      ['shop'],
      'down',
    ],
  };
  it.each(Object.entries(rows))('%s', (_name, [desired, excluded, wanted]) => {
    expect(wantedForWorkload({ ...base, ...desired }, excluded)(cart)).toBe(wanted);
  });
});
