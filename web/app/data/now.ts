import { useEffect, useState } from 'react';
import { ServerClock } from './server-clock.ts';

export const serverClock = new ServerClock();

/** The server's time, once a second. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => serverClock.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverClock.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
