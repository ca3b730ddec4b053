import type { DesiredState } from '../../domain/desired/desired-state.ts';
import type { AdmissionFacts } from '../../ports/admission-facts.ts';
import type { Informers } from '../../ports/cluster.ts';
import type { Random } from '../../ports/random.ts';
import type { FrameSink } from '../../ports/records.ts';
import type { Acting } from '../act/scaling.ts';
import type { CompanionsStep } from '../beside/companions.ts';
import type { DatabaseStep } from '../beside/database-steps.ts';
import type { Beginning } from '../transition/begin-transition.ts';
import type { ResumePace } from './resume-pace.ts';
import type { UnnotedWake } from './unnoted-wake.ts';

/** What bringing the cluster up needs of a pass. */
export interface WakeStep extends Acting, Beginning, CompanionsStep, DatabaseStep {
  readonly desired: DesiredState;
  readonly frames: FrameSink;
  readonly random: Random;
  readonly informers: Informers;
  readonly admission: AdmissionFacts;
  readonly resumePace: ResumePace;
  /** Ids of the transitions that this process has worked on; any other was begun by one before it. */
  readonly driven: Set<string>;
  readonly unnotedWake: UnnotedWake;
}
