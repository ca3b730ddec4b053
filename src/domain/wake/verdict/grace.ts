// The one band of a written-off workload: the time in which the wake holds its end open, because a restart that is under way
// may still bring the workload up. The band is the five minutes after the write-off; within them it is live while a
// container is visibly restarting, and until the kubelet has had its time to kill a container that used its budget up.

import type { EpochMs } from '../../workload.ts';
import { latestBandEnd } from './failopen.ts';
import type { WakeFigures } from './figures.ts';
import type { Standing } from './standing.ts';
import type { WakeState, WriteOff } from './wake-state.ts';

/** When the band ends, as far as the pods tell now; undefined when there is none to wait for. */
export function bandEnd(
  wake: WakeState,
  writeOff: WriteOff,
  { restarting, steadyAt }: Pick<Standing, 'restarting' | 'steadyAt'>,
  figures: WakeFigures,
): EpochMs | undefined {
  if (writeOff.lift !== undefined || writeOff.again === true) return undefined;
  const length = restarting ? figures.graceMs : (writeOff.killMs ?? 0);
  if (length === 0) return undefined;
  const end = Math.min(writeOff.at + length, latestBandEnd(wake, figures));
  // Ready within the band, and not yet for long enough to count: the settle margin is for that.
  return steadyAt === undefined ? end : Math.max(end, Math.min(steadyAt, end + figures.settleMarginMs));
}
