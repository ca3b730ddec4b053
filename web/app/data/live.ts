import { createContext } from 'react';

/** Whether changes come by themselves. */
export interface Live {
  readonly connected: boolean;
  /** When they ceased to; 0 if they never came. */
  readonly lostAt: number;
}

export const LiveContext = createContext<Live>({ connected: true, lostAt: 0 });

/** The same object while nothing changes, so that nothing is drawn again for a heartbeat. */
export function nextLive(before: Live, connected: boolean, now: number): Live {
  if (before.connected === connected) return before;
  return { connected, lostAt: connected ? before.lostAt : now };
}
