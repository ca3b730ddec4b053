import type { EpochMs } from '../domain/workload.ts';
import { optionalObjectCodec, type StateCodec } from './codec.ts';
import { instantField, instantText, object, oneOf, own, place, ShapeError, text, wholeNumber } from './shape.ts';

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

/** How a payload is read; it refuses with a `PayloadError` whose message names the field. */
export interface PayloadForm<P> {
  read(kind: TransitionKind, json: unknown): P;
  write(payload: P): unknown;
}

export class PayloadError extends Error {}

/** Raised when the payload changes in a way an older release cannot read. */
const transitionVersion = 1;

export function transitionCodec<P>(form: PayloadForm<P>): StateCodec<Transition<P> | null> {
  return optionalObjectCodec<Transition<P>>(
    'transition',
    (json) => readTransition(json, form),
    ({ kind, id, startedAt, trigger, payload }) => ({
      version: transitionVersion,
      kind,
      id,
      startedAt: instantText(startedAt),
      trigger: { actor: trigger.actor, cause: trigger.cause },
      payload: form.write(payload),
    }),
  );
}

/** For readers that need the envelope alone. */
export const transitionEnvelope = transitionCodec<unknown>({
  read: (_kind, json) => json,
  write: (payload) => payload,
});

function readTransition<P>(json: unknown, form: PayloadForm<P>): Transition<P> {
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
    payload: readPayload(() => form.read(kind, own(fields, 'payload'))),
  };
}

function readPayload<P>(read: () => P): P {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    throw new ShapeError(`${place('', 'payload')}: ${error.message}`);
  }
}
