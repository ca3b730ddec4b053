import type { PassContext } from '../pass/pass-context.ts';

/**
 * Something besides workloads that goes down and comes up with the cluster. It keeps its own record in the state, writes
 * it before it acts, and does nothing where nothing is missing: it is called on every pass. What goes wrong outside of the
 * state is its own to log and to try again; it never keeps a workload from going down or coming up.
 */
export interface Companion {
  readonly name: string;
  /** Brings it to where it is while the cluster sleeps; names what is not there yet, so that lowering can wait a little. */
  sleep(context: PassContext): Promise<readonly string[]>;
  /** Brings it back; names what is not back yet, so that a handback can say what is missing. */
  wake(context: PassContext): Promise<readonly string[]>;
  /** What a dry run says it would do, and what it would leave alone and why. */
  plan?(context: PassContext): Promise<Readonly<Record<string, unknown>>>;
  /**
   * The wake is about to end, so nothing waits for pods any more: brings back what it can at once, and names what still
   * stands between callers and what is up.
   */
  lastCall?(context: PassContext): Promise<readonly string[]>;
}
