import { describe, expect, it } from 'vitest';
import { nextLive } from './live.ts';

describe('what is live', () => {
  it('remembers when it ceased to be', () => {
    const never = { connected: false, lostAt: 0 };
    const live = nextLive(never, true, 5);
    expect(live).toEqual({ connected: true, lostAt: 0 });
    expect(nextLive(live, false, 9)).toEqual({ connected: false, lostAt: 9 });
  });

  it('is the same object for each further heartbeat', () => {
    const live = { connected: true, lostAt: 3 };
    expect(nextLive(live, true, 9)).toBe(live);
  });
});
