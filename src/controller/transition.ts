import type { WakeState } from '../domain/wake/wake-state.ts';
import type { EpochMs } from '../domain/workload.ts';
import type { Random } from '../ports/random.ts';
import { PayloadError, type Transition, transitionCodec } from '../state/transition.ts';

/** What only a hibernation knows while it runs. Workloads are named only where something out of the ordinary happened. */
export interface HibernationPayload {
  readonly kind: 'hibernation';
  /** The tier being worked on, by name: an index would shift with a change of the configuration. */
  readonly tier?: string;
  readonly tierStartedAt: EpochMs;
  readonly tiersDone: readonly string[];
  /** Tiers whose time-out passed before all their pods were gone. */
  readonly tiersTimedOut: readonly string[];
  /** Keys of workloads that their owner raised meanwhile. */
  readonly respected: readonly string[];
  /** What the cluster would not let us lower, with its own words. */
  readonly failed: Readonly<Record<string, string>>;
  /** Keys of the workloads it is about, when they are not all: those that came in the night. */
  readonly only?: readonly string[];
}

export interface WakePayload {
  readonly kind: 'wake';
  readonly wake: WakeState;
  /** What the cluster would not let us raise, with its own words. */
  readonly refused: Readonly<Record<string, string>>;
  /** Keys of the workloads that answer fail-closed admission webhooks, as they were when the wake began. */
  readonly first?: readonly string[];
}

export type Payload = HibernationPayload | WakePayload;
export type Hibernation = Transition<HibernationPayload>;
export type Wake = Transition<WakePayload>;

/** Readable by its time, and of its own: a clock that was set back comes to the same millisecond twice. */
export function transitionId(kind: Payload['kind'], at: EpochMs, random: Random): string {
  return `${kind}-${at}-${Buffer.from(random.bytes(4)).toString('hex')}`;
}

export const transition = transitionCodec<Payload>({
  read: (kind, json) => (kind === 'hibernation' ? readHibernation(json) : readWake(json)),
  write: ({ kind: _kind, ...payload }) => payload,
});

export function isWake(running: Transition<Payload> | null): running is Wake {
  return running?.payload.kind === 'wake';
}

export function isHibernation(running: Transition<Payload> | null): running is Hibernation {
  return running?.payload.kind === 'hibernation';
}

function readHibernation(json: unknown): HibernationPayload {
  const fields = fieldsOf(json);
  const { tier, tierStartedAt, only } = fields;
  if (tier !== undefined && typeof tier !== 'string') throw new PayloadError('tier must be a text');
  if (typeof tierStartedAt !== 'number') throw new PayloadError('tierStartedAt must be a number');
  return {
    kind: 'hibernation',
    tierStartedAt,
    tiersDone: texts(fields, 'tiersDone'),
    tiersTimedOut: texts(fields, 'tiersTimedOut'),
    respected: texts(fields, 'respected'),
    failed: textMap(fields, 'failed'),
    ...(tier === undefined ? {} : { tier }),
    ...(only === undefined ? {} : { only: texts(fields, 'only') }),
  };
}

function readWake(json: unknown): WakePayload {
  const fields = fieldsOf(json);
  const wake = fieldsOf(fields['wake']);
  if (
    typeof wake['id'] !== 'string' ||
    typeof wake['startedAt'] !== 'number' ||
    typeof wake['failOpenMs'] !== 'number'
  ) {
    throw new PayloadError('wake must have id, startedAt and failOpenMs');
  }
  if (!Array.isArray(wake['tiers'])) throw new PayloadError('wake.tiers must be an array');
  fieldsOf(wake['writeOffs']);
  return {
    kind: 'wake',
    wake: wake as unknown as WakeState,
    refused: textMap(fields, 'refused'),
    ...(fields['first'] === undefined ? {} : { first: texts(fields, 'first') }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(json: unknown): Fields {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new PayloadError('an object is expected');
  return json as Fields;
}

function texts(fields: Fields, field: string): readonly string[] {
  const value = fields[field] ?? [];
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) {
    throw new PayloadError(`${field} must be a list of texts`);
  }
  return value as string[];
}

function textMap(fields: Fields, field: string): Readonly<Record<string, string>> {
  const value = fieldsOf(fields[field] ?? {});
  if (Object.values(value).some((one) => typeof one !== 'string')) throw new PayloadError(`${field} must map to texts`);
  return value as Record<string, string>;
}
