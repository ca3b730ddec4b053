import type { Clock } from '../../../ports/clock.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { Random } from '../../../ports/random.ts';
import type { KubeClient } from '../client/kube-client.ts';
import type { SelectOptions } from '../client/request-options.ts';
import type { ResourceType } from '../client/resource-type.ts';
import type { Answered } from '../client/watch-events.ts';

export interface ReflectorOptions<T, R> extends SelectOptions {
  readonly client: KubeClient;
  readonly type: ResourceType<T>;
  /** Keeps of an object what is needed; what it returns is all that stays in memory. */
  readonly project: (object: T) => R;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly pageSize?: number;
  /** A watch without event or bookmark for this long is taken for dead. An apiserver sends a bookmark a minute. */
  readonly silenceMs?: number;
  /** False asks for paged lists at once, without trying a streaming list. */
  readonly streamingList?: boolean;
  /**
   * The kind may not exist in the cluster (a custom resource), or not be for us to read: that counts as synced and empty, and is
   * looked at again.
   */
  readonly optional?: boolean;
  /** The cluster was restored from a backup: versions that were seen may come again with something else. */
  readonly onRestored?: () => void;
  /** After a time in which nothing could be learned it can be again, whether or not anything is different. */
  readonly onReadable?: () => void;
  /** What is known of an object in a version, from the answer to a write: its event is then not read. */
  readonly answered: Answered<R> | undefined;
}
