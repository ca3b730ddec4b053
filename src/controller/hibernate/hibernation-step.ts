import type { DesiredState } from '../../domain/desired/desired-state.ts';
import type { Random } from '../../ports/random.ts';
import type { FrameSink } from '../../ports/sinks.ts';
import type { Acting } from '../act/scaling.ts';
import type { DatabaseStep } from '../beside/database-steps.ts';
import type { CompanionsStep } from '../beside/run-companions.ts';
import type { ReplicaChanges } from '../notifications/replica-changes.ts';
import type { Beginning } from '../transition/begin-transition.ts';
import type { DrainStep } from './drain.ts';

/** What taking the cluster down needs of a pass. */
export interface HibernationStep extends Acting, Beginning, CompanionsStep, DatabaseStep, DrainStep {
  readonly desired: DesiredState;
  readonly frames: FrameSink;
  readonly random: Random;
  readonly replicaChanges: ReplicaChanges;
}
