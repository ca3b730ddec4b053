import { describe, expect, it } from 'vitest';
import { status } from '../../fixtures/status.ts';
import { faviconOf, signOf, titleOf } from './status-sign.ts';

describe('the tab', () => {
  it('follows the status', () => {
    expect(titleOf(signOf(status({})), 'demo')).toBe('Awake · demo');
    expect(titleOf(signOf(status({ state: 'hibernated', active: true })), 'demo')).toBe('Hibernated · demo');
    expect(titleOf(signOf(status({ causes: ['stand_down'] })), 'demo')).toBe('Not scaling · demo');
  });

  it('does not guess', () => {
    expect(titleOf(signOf(undefined), undefined)).toBe('Unknown');
  });

  it('has another picture for each sign', () => {
    const signs = ['awake', 'hibernated', 'waking', 'hibernating', 'stopped', 'unknown'] as const;
    expect(new Set(signs.map(faviconOf)).size).toBe(6);
  });
});
