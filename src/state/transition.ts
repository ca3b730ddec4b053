import type { WaitedHost } from '../domain/wake/verdict/wake-state.ts';
import type { EpochMs } from '../domain/workload.ts';
import { optionalObjectCodec, type StateCodec } from './codec/codec.ts';
import { instantField, instantText, object, oneOf, own, place, ShapeError, text, wholeNumber } from './codec/shape.ts';
import { type HibernationPayload, hibernationJson, readHibernation } from './hibernation-payload.ts';
import { readWake, type WakePayload, wakeJson } from './wake-payload.ts';

type TransitionKind = 'hibernation' | 'wake';

interface TransitionTrigger {
  /** As it is shown: an address, `schedule`, `configuration`, `<actor> (stand-down)`, … */
  readonly actor: string;
  readonly cause: string;
}

/** The running transition: what every kind has around what it alone knows. */
export interface Transition<P> {
  readonly kind: TransitionKind;
  readonly id: string;
  readonly startedAt: EpochMs;
  readonly trigger: TransitionTrigger;
  readonly payload: P;
}

export type Payload = HibernationPayload | WakePayload;
export type Hibernation = Transition<HibernationPayload>;
export type Wake = Transition<WakePayload>;

/** Raised when the payload changes in a way an older release cannot read. */
const transitionVersion = 1;

/** The whole of it, every field of the payload checked: what the controller acts on. */
export const transition = transitionCodec<Payload>(
  (kind, json, where) => (kind === 'hibernation' ? readHibernation(json, where) : readWake(json, where)),
  (payload) => (payload.kind === 'wake' ? wakeJson(payload) : hibernationJson(payload)),
);

/** For readers that need the envelope alone: they answer even where the payload could not be read. */
export const transitionEnvelope = transitionCodec<unknown>(
  (_kind, json) => json,
  (payload) => payload,
);

export function isWake(running: Transition<Payload> | null): running is Wake {
  return running?.payload.kind === 'wake';
}

/** A wake that waits for hosting clusters and has touched nothing yet. */
export type WaitingWake = Wake & { readonly payload: { readonly hosts: readonly WaitedHost[] } };

export function isWaiting(running: Transition<Payload> | null): running is WaitingWake {
  return isWake(running) && running.payload.hosts !== undefined;
}

/** A wake for other clusters. A retry is none: it belongs to the awake cluster and ends when that goes to sleep. */
export function isForOthers(running: Transition<Payload> | null): running is Wake {
  return isWake(running) && running.payload.part !== undefined && running.payload.retry !== true;
}

export function isHibernation(running: Transition<Payload> | null): running is Hibernation {
  return running?.payload.kind === 'hibernation';
}

/** A wake of single workloads under a cluster that is awake and stays so. */
export function isRetry(running: Transition<unknown> | null): boolean {
  const payload = running?.payload;
  return typeof payload === 'object' && payload !== null && 'retry' in payload && payload.retry === true;
}

type ReadPayload<P> = (kind: TransitionKind, json: unknown, where: string) => P;

function transitionCodec<P>(read: ReadPayload<P>, write: (payload: P) => unknown): StateCodec<Transition<P> | null> {
  return optionalObjectCodec<Transition<P>>(
    'transition',
    (json) => readTransition(json, read),
    ({ kind, id, startedAt, trigger, payload }) => ({
      version: transitionVersion,
      kind,
      id,
      startedAt: instantText(startedAt),
      trigger: { actor: trigger.actor, cause: trigger.cause },
      payload: write(payload),
    }),
  );
}

function readTransition<P>(json: unknown, read: ReadPayload<P>): Transition<P> {
  const fields = object(json, '');
  const version = wholeNumber(fields, 'version', '', 1_000_000);
  if (version !== transitionVersion) {
    throw new ShapeError(`field version is ${version}, and this release reads version ${transitionVersion}.`);
  }
  const trigger = object(own(fields, 'trigger'), 'field trigger');
  const kind = oneOf<TransitionKind>(fields, 'kind', '', ['hibernation', 'wake']);
  if (own(fields, 'payload') === undefined) throw new ShapeError('field payload is absent.');
  return {
    kind,
    id: text(fields, 'id', '', 128),
    startedAt: instantField(fields, 'startedAt', ''),
    trigger: { actor: text(trigger, 'actor', 'field trigger'), cause: text(trigger, 'cause', 'field trigger', 128) },
    payload: read(kind, own(fields, 'payload'), place('', 'payload')),
  };
}
