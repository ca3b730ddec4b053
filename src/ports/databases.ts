import type { DatabaseAddress } from '../domain/database/address.ts';
import type { DatabaseCondition } from '../domain/database/status.ts';
import type { EpochMs } from '../domain/workload.ts';
import type { WriteOutcome } from './cluster.ts';

export type { DatabaseCondition } from '../domain/database/status.ts';

export interface DatabaseReading {
  readonly condition: DatabaseCondition;
  readonly since?: EpochMs;
  /** It is up, and the cloud works on it: it cannot be stopped before that is over. */
  readonly busy?: true;
  /** The cloud's own words when it is busy, failed or unknown. */
  readonly message?: string;
  /** The cloud has no such database: there is nothing to wait for. */
  readonly gone?: true;
}

/**
 * The managed databases of the configuration, by their configured names. What was recorded when one was stopped goes
 * before the configuration, which may have changed since.
 */
export interface Databases {
  /** Never rejects: what cannot be read is `unknown` with the reason. */
  read(name: string, recorded: DatabaseAddress | undefined): Promise<DatabaseReading>;
  stop(name: string): Promise<WriteOutcome>;
  start(name: string, recorded: DatabaseAddress | undefined): Promise<WriteOutcome>;
}
