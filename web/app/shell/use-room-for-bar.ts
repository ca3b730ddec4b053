import { type RefObject, useEffect } from 'react';

const gap = 8;

/** What takes the focus scrolls to below the bar, which is higher where a phone wraps it, and not under it. */
export function useRoomForBar(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (element === null) return undefined;
    const root = document.documentElement;
    const watcher = new ResizeObserver(() => {
      root.style.scrollPaddingTop = `${element.offsetHeight + gap}px`;
    });
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      root.style.scrollPaddingTop = '';
    };
  }, [bar]);
}
