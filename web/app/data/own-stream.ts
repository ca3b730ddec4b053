import { afterMs } from './stream.ts';

/** Long enough to look something up in another tab and come back. */
const hiddenForMs = 10_000;

/**
 * For browsers that give tabs no way to share one, such as at an http address: a stream only while somebody may look, so that
 * tabs in the background leave the six connections of a server to the one in front. Meanwhile they poll.
 */
export function whileVisible(page: Document, open: () => () => void): () => void {
  let close: (() => void) | undefined;
  let cancel: () => void = () => undefined;
  const shut = () => {
    close?.();
    close = undefined;
  };
  const look = () => {
    cancel();
    if (page.hidden) cancel = afterMs(hiddenForMs, shut);
    else close ??= open();
  };
  look();
  page.addEventListener('visibilitychange', look);
  return () => {
    page.removeEventListener('visibilitychange', look);
    cancel();
    shut();
  };
}
