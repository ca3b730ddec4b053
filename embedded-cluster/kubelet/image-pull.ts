import type { EpochMs } from '../ports/clock.ts';
import type { Behaviour } from './behaviour.ts';
import type { Waiting } from './pod-view.ts';

/** Where a container stands before it can be created. */
export type ImageAt =
  | { readonly kind: 'present'; readonly at: EpochMs }
  | {
      readonly kind: 'waiting';
      readonly waiting: Waiting;
      readonly nextChangeAt?: EpochMs;
      readonly failedAt?: EpochMs;
    };

const firstBackoff = 10_000;
const longestBackoff = 300_000;
/** How long ErrImagePull stands before the next sync of the pod finds the back-off. */
const errorShown = 5_000;

const creating: Waiting = { reason: 'ContainerCreating' };

export function imageAt(image: string, behaviour: Behaviour, begin: EpochMs, now: EpochMs): ImageAt {
  if (behaviour.image === 'invalid') {
    const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
    return { kind: 'waiting', waiting: { reason: 'InvalidImageName', message }, failedAt: begin };
  }
  if (behaviour.image === 'never') {
    const message = `Container image "${image}" is not present with pull policy of Never`;
    return { kind: 'waiting', waiting: { reason: 'ErrImageNeverPull', message }, failedAt: begin };
  }
  const pullMs = (behaviour.pullSeconds ?? 1) * 1000;
  if (behaviour.pull === 'fail')
    return failingPullAt(image, { pullMs, recoversAfter: behaviour.pullRecoversAfter }, begin, now);
  const at = begin + pullMs;
  return at > now ? { kind: 'waiting', waiting: creating, nextChangeAt: at } : { kind: 'present', at };
}

function failingPullAt(
  image: string,
  { pullMs, recoversAfter }: { readonly pullMs: number; readonly recoversAfter: number | undefined },
  begin: EpochMs,
  now: EpochMs,
): ImageAt {
  const recoversAt = recoversAfter === undefined ? Number.POSITIVE_INFINITY : begin + recoversAfter * 1000;
  const error = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": not found`;
  const backingOff: Waiting = {
    reason: 'ImagePullBackOff',
    message: `Back-off pulling image "${image}": ErrImagePull: ${error}`,
  };
  let backoff = firstBackoff;
  for (let start = begin; ; ) {
    const done = start + pullMs;
    const before = start === begin ? creating : backingOff;
    if (done > now) return { kind: 'waiting', waiting: before, nextChangeAt: done };
    if (start >= recoversAt) return { kind: 'present', at: done };
    const shownUntil = done + Math.min(errorShown, backoff);
    if (now < shownUntil) {
      const waiting: Waiting = { reason: 'ErrImagePull', message: error };
      return { kind: 'waiting', waiting, nextChangeAt: shownUntil, failedAt: done };
    }
    const retry = done + backoff;
    if (now < retry) return { kind: 'waiting', waiting: backingOff, nextChangeAt: retry + pullMs, failedAt: done };
    const period = pullMs + longestBackoff;
    const skipped =
      backoff === longestBackoff ? Math.max(0, Math.floor((Math.min(now, recoversAt) - retry) / period)) : 0;
    start = retry + skipped * period;
    backoff = Math.min(2 * backoff, longestBackoff);
  }
}
