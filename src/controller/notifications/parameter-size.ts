import type { Config } from '../../config/config.ts';
import { parameterSizeNotice, statisticsParameter } from '../../domain/cost/parameter-size.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { parameterSize } from '../../state/parameter-size.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';

/** What the api last noted about the parameter of the cost statistics; a size of another parameter says nothing any more. */
export function setParameterSizeCondition(
  notifier: Notifier,
  snapshot: StateSnapshot,
  { awsCosts }: Config,
  at: EpochMs,
): void {
  const noted = snapshot.read(parameterSize);
  if (!noted.ok || noted.value === null) return;
  const { notice, holds } = parameterSizeNotice(noted.value, at);
  const ours = awsCosts.enabled && noted.value.parameter === statisticsParameter(awsCosts.tagValue);
  notifier.condition(notice, holds && ours);
}
