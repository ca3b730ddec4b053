import type { DesiredState } from '../../domain/desired/desired-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WorkloadWriter } from '../../ports/cluster.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import type { Fence } from '../act/fence.ts';
import type { Announcing } from '../announcements/announce.ts';
import type { RequeueAt } from '../loop/requeue.ts';
import type { ScopedSnapshot } from '../snapshot/snapshot.ts';

/** What a companion gets of a pass. */
export interface CompanionStep extends Announcing {
  readonly clock: Clock;
  readonly snapshot: ScopedSnapshot;
  readonly desired: DesiredState;
  readonly compiled: CompiledConfig;
  readonly writer: WorkloadWriter;
  readonly signal: AbortSignal;
  readonly fence: Fence;
}

/** How far a companion is on its way into the night. */
export interface AsleepCompanion {
  /** Names what is not ready yet and may soon be, so that scaling down can wait a little. */
  readonly awaited: readonly string[];
  /** When it wants to try again what nobody should wait for. */
  readonly retryAt?: RequeueAt;
}

/**
 * Something besides workloads that goes down and comes up with the cluster. It keeps its own record in the state, writes
 * it before it acts, and does nothing where nothing is missing: it is called on every pass. What goes wrong outside of the
 * state is its own to log and to try again; it never keeps a workload from going down or coming up.
 */
export interface Companion {
  readonly name: string;
  /** Puts it into its state for a sleeping cluster. */
  sleep(context: CompanionStep): Promise<AsleepCompanion>;
  /** Puts it back into its state for a running cluster. Returns the names of what is not back yet, for the list of a handback. */
  wake(context: CompanionStep): Promise<readonly string[]>;
  /** What a dry run says it would do, and what it would leave alone and why. */
  plan(context: CompanionStep): Promise<Readonly<Record<string, unknown>>>;
  /** When it has to look again at a running cluster, whatever else happens. */
  dueAt(context: Pick<CompanionStep, 'clock'>): RequeueAt;
  /**
   * The wake is about to end, so nothing waits for pods any more: brings back what it can at once, and names what still
   * stands between callers and what is up. `part`: the cluster sleeps on around what was woken.
   */
  lastCall(context: CompanionStep, of: 'all' | 'part'): Promise<readonly string[]>;
}
