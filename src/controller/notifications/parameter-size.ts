import type { Config } from '../../config/config.ts';
import { parameterSizeNotice, statisticsParameter } from '../../domain/cost/parameter-size.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { parameterSize } from '../../state/parameter-size.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';

/**
 * What the api last noted about the parameter of the cost statistics; a size of another parameter says nothing any more, and
 * nothing noted ends what was said before.
 */
export function setParameterSizeCondition(
  notifier: Notifier,
  snapshot: StateSnapshot,
  { awsCosts }: Config,
  at: EpochMs,
): void {
  const noted = snapshot.read(parameterSize);
  if (!noted.ok) return;
  const parameter = statisticsParameter(awsCosts.tagValue);
  const size = noted.value ?? { parameter, bytes: 0 };
  const { notice, holds } = parameterSizeNotice(size, at);
  notifier.condition(notice, holds && awsCosts.enabled && size.parameter === parameter);
}
