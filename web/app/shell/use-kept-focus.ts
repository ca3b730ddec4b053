import { useEffect } from 'react';
import { mainId } from './main-id.ts';

/** What had the focus may be gone with the state it belonged to; then the page has it, and not the top of the document. */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let keeper: HTMLElement | null = null;
    const focused = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
      keeper = last?.closest<HTMLElement>('[data-keeps-focus]') ?? null;
    };
    const look = () => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return;
      last = null;
      const place = keeper?.isConnected ? keeper : document.getElementById(mainId);
      place?.focus({ preventScroll: true });
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', focused);
    return () => {
      watcher.disconnect();
      document.removeEventListener('focusin', focused);
    };
  }, []);
}
