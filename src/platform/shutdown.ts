import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

export interface Shutdown {
  /** Aborts as soon as the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Runs on the way out, in the reverse order of registration. */
  onStop(name: string, stop: () => Promise<void> | void): void;
  /** Stops as a signal would. */
  request(why: string): void;
}

/** Why a process ends that has found the cluster behind what it knows of it; the kubelet starts the next one. */
export const afterRestore = 'the cluster was restored from a backup, and the next process begins with what it holds';

/**
 * Node that exits while one of its threads compiles can wait for that thread for ever, which itself waits for a collection of garbage that
 * only the main thread could begin (nodejs/node#54918). With nothing left to do, they come to an end by themselves.
 */
const compilersRestMs = 100;

/**
 * Ends the process in order: the first SIGTERM or SIGINT starts it, and what has not finished within `timeoutMs` is
 * left behind. Signals after the first are ignored, because a terminal and a parent may both pass the same Ctrl-C on.
 */
export function installShutdown(clock: Clock, logger: Logger, timeoutMs: () => number): Shutdown {
  const aborter = new AbortController();
  const steps: { name: string; stop: () => Promise<void> | void }[] = [];
  const request = (why: string) => {
    if (aborter.signal.aborted) return;
    logger.info('Stopping', { why });
    aborter.abort(new Error('the process is stopping'));
    clock.after(timeoutMs(), () => {
      logger.warn('Stopped before everything had finished', { timeoutMs: timeoutMs() });
      process.exit(1);
    });
    void runSteps().then(() => clock.after(compilersRestMs, () => process.exit(0)));
  };
  const runSteps = async () => {
    for (const { name, stop } of steps.reverse()) {
      try {
        await stop();
      } catch (error) {
        logger.error('A step of the shutdown failed', { step: name, error: String(error) });
      }
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => request(signal));
  return { signal: aborter.signal, onStop: (name, stop) => void steps.push({ name, stop }), request };
}
