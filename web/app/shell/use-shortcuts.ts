import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

interface Shortcuts {
  readonly onPalette: () => void;
  readonly onSheet: () => void;
}

/** The second key after `g`, and where it goes. */
export const goKeys: Readonly<Record<string, string>> = {
  o: '/',
  m: '/control',
  t: '/wake',
  r: '/resources',
  c: '/calendar',
  a: '/activity',
  s: '/settings',
};

export function useShortcuts({ onPalette, onSheet }: Shortcuts): void {
  const [, navigate] = useLocation();
  // Kept over what is drawn anew: an answer that comes between the two keys must not lose the first.
  const afterG = useRef(false);
  useEffect(() => {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the keys in the order in which they are looked at.
    const pressed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        onPalette();
        return;
      }
      if (isTyping(event.target) || isAsked() || event.ctrlKey || event.metaKey || event.altKey) return;
      const to = afterG.current ? goKeys[event.key] : undefined;
      afterG.current = event.key === 'g';
      if (to !== undefined) navigate(to);
      else if (event.key === '?') onSheet();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [navigate, onPalette, onSheet]);
}

/** A dialog is open: a letter pressed there must not take away the page that it belongs to. */
function isAsked(): boolean {
  return document.querySelector('[role=dialog][aria-modal=true]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}
