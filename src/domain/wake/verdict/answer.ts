// Whether a pod has answered in this wake. What has answered has answered: readiness that goes later is no failed start.
// The kubelet moves the condition's instant only when its status changes, and sets the first `False` before it starts
// anything; so `False` since later than the start of a container means that the pod was ready until then.

import type { EpochMs } from '../../workload.ts';
import type { Moment } from './moment.ts';
import type { ContainerView, PodView } from './pod.ts';
import { attemptStarts, restartsOfPod, serving } from './restart.ts';

export function isReady(pod: PodView): boolean {
  return pod.ready?.status === true;
}

/** From when on its readiness counts: at once, but a pod that restarted as often as a crash loop has to stay ready. */
export function steadyFrom(pod: PodView, moment: Moment): EpochMs | undefined {
  if (pod.ready?.status !== true) return undefined;
  const crashing = restartsOfPod(pod, moment.from) >= moment.figures.restartLimit;
  return crashing ? pod.ready.since + moment.figures.settleMarginMs : pod.ready.since;
}

export function hasAnswered(pod: PodView, moment: Moment): boolean {
  const steady = steadyFrom(pod, moment);
  return steady === undefined ? wasSteady(pod, moment) : isPast(steady, pod, moment);
}

export function isSteady(pod: PodView, moment: Moment): boolean {
  const steady = steadyFrom(pod, moment);
  return steady !== undefined && isPast(steady, pod, moment);
}

/** Readiness that needs no proof counts whatever the clocks of the nodes say. */
function isPast(steady: EpochMs, pod: PodView, { now }: Moment): boolean {
  return steady === pod.ready?.since || steady <= now;
}

/** Ready in this wake, and not only between two crashes: for as long as its containers ran before readiness went. */
function wasSteady(pod: PodView, { from, figures }: Moment): boolean {
  const { ready, scheduled } = pod;
  if (ready === undefined || ready.status || ready.since <= from) return false;
  const starts = serving(pod).map((container) => latestStartBefore(container, ready.since));
  if (starts.length === 0) return false;
  if (starts.every((start) => start !== undefined)) return ready.since - Math.max(...starts) >= figures.settleMarginMs;
  // The kubelet has forgotten the attempt that was ready. The pod was placed a moment before its first `False`.
  return scheduled?.status === 'True' && ready.since - scheduled.at >= figures.graceMs;
}

/** A restart in the second in which readiness went is the attempt after it. */
function latestStartBefore(container: ContainerView, instant: EpochMs): EpochMs | undefined {
  const starts = attemptStarts(container).filter((start) => start < instant);
  return starts.length === 0 ? undefined : Math.max(...starts);
}
