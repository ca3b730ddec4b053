import { configMaps } from '../../domain/names.ts';
import { epoch } from '../epoch.ts';
import { ignoredResources } from '../ignored-resources.ts';
import { wakeOverride } from '../intents/wake-override.ts';
import { outbox } from '../outbox.ts';
import type { NewPart } from '../parts/state-part.ts';
import { phase } from '../phase.ts';
import { resourceStates } from '../resource-states.ts';
import { byteLength, stateSizeLimits } from '../size.ts';
import { outboxSetAsideKey, type StateEdit, type StateSnapshot, set, setAsideKey } from '../snapshot.ts';
import { standDown } from '../stand-down.ts';
import { type Changes, draftWrite, sizeWith, type WriteDraft } from './write-draft.ts';

/** `ordinary` leaves the reserve alone; only what stops, hands back, wakes or tells may use it. */
export type Room = 'ordinary' | 'reserve';

export interface PlannedWrite {
  readonly outcome: 'write';
  /** Keys of `svc-state`; undefined removes one. */
  readonly changes: Changes;
  /** Keys that are to be kept beside its data, for want of room there; undefined removes one. */
  readonly beside?: Changes;
  /** To be made before: `changes` names them. */
  readonly parts?: readonly NewPart[];
}

export type StateWritePlan =
  | PlannedWrite
  | { readonly outcome: 'nothing' }
  | { readonly outcome: 'refused'; readonly why: 'undecodable'; readonly key: string; readonly message: string }
  | { readonly outcome: 'refused'; readonly why: 'too-large'; readonly message: string };

/**
 * What to write so that the edits hold: nothing when they already do, and nothing over a value that cannot be decoded,
 * because it may hold the only copy of somebody's counts. A state that is too large may still shrink.
 */
export function planStateWrite(
  snapshot: StateSnapshot,
  edits: readonly StateEdit[],
  room: Room = 'reserve',
): StateWritePlan {
  const kept = edits.filter((edit) => edit.ifReadable !== true || edit.current(snapshot).ok);
  for (const edit of kept) {
    const current = edit.current(snapshot);
    if (!current.ok) return { outcome: 'refused', why: 'undecodable', key: edit.key, message: current.message };
  }
  const draft = draftWrite(snapshot, kept);
  if (Object.keys(draft.changes).length === 0) return { outcome: 'nothing' };
  const plan = fitted(snapshot, draft, room);
  if (plan.outcome === 'write') return plan;
  for (const other of [withRecordsMoved(snapshot, kept), room === 'reserve' ? withLess(snapshot, kept) : undefined]) {
    const again = other === undefined ? plan : fitted(snapshot, other, room);
    if (again.outcome === 'write') return again;
  }
  return (room === 'reserve' && keptBeside(snapshot, withLess(snapshot, kept))) || plan;
}

/** Records can always go on elsewhere: they make room for whatever else there is. */
function withRecordsMoved(snapshot: StateSnapshot, edits: readonly StateEdit[]): WriteDraft | undefined {
  const records = snapshot.read(resourceStates);
  if (snapshot.continuation === undefined || !records.ok) return undefined;
  const named = edits.some(({ key }) => key === resourceStates.key);
  return draftWrite(snapshot, named ? edits : [...edits, set(resourceStates, records.value)], resourceStates.key);
}

/** And when even that is not enough, what the controller finds again by itself, or only people read, gives way. */
function withLess(snapshot: StateSnapshot, edits: readonly StateEdit[]): WriteDraft {
  const draft = withRecordsMoved(snapshot, edits) ?? draftWrite(snapshot, edits);
  const aside = [setAsideKey, outboxSetAsideKey];
  const known = snapshot.read(ignoredResources).ok ? [ignoredResources.key, ...aside] : aside;
  const keys = known.filter((key) => Object.hasOwn(snapshot.data, key) && !(key in draft.changes));
  return { ...draft, changes: { ...Object.fromEntries(keys.map((key) => [key, undefined])), ...draft.changes } };
}

function fitted(
  snapshot: StateSnapshot,
  draft: WriteDraft,
  room: Room,
): PlannedWrite | Extract<StateWritePlan, { why: 'too-large' }> {
  const before = sizeWith(snapshot, {}, snapshot.beside);
  const back = [...snapshot.beside].filter((key) => key in draft.changes);
  const beside = new Set([...snapshot.beside].filter((key) => !back.includes(key)));
  const bytes = sizeWith(snapshot, draft.changes, beside);
  const most = room === 'ordinary' ? stateSizeLimits.ordinary : stateSizeLimits.hard;
  if (bytes > most && bytes >= before) return { outcome: 'refused', why: 'too-large', message: tooLarge(bytes) };
  return planned(draft, Object.fromEntries(back.map((key) => [key, undefined])));
}

/** Short values that a stop or a wake stands on, or that tell of it: where somebody left no room they are kept beside the data. */
const mayBeBeside: readonly string[] = [standDown.key, epoch.key, wakeOverride.key, phase.key, outbox.key];
const mostBeside = 16_384;

/** For a stop that the apiserver itself found no room for, because it counts what we do not see. */
export function planBeside(snapshot: StateSnapshot, edits: readonly StateEdit[]): PlannedWrite | undefined {
  const plan = keptBeside(snapshot, draftWrite(snapshot, edits));
  const grows = Object.entries(plan?.changes ?? {}).some(
    ([key, text]) => (text?.length ?? 0) > (snapshot.data[key]?.length ?? 0),
  );
  return grows ? undefined : plan;
}

function keptBeside(snapshot: StateSnapshot, draft: WriteDraft): PlannedWrite | undefined {
  const moved = Object.entries(draft.changes).filter(([key]) => mayBeBeside.includes(key));
  if (moved.some(([, text]) => text !== undefined && byteLength(text) > mostBeside)) return undefined;
  const keys = new Set([...snapshot.beside, ...moved.map(([key]) => key)]);
  const bytes = sizeWith(snapshot, draft.changes, keys);
  if (bytes > stateSizeLimits.hard) return undefined;
  const changes = Object.fromEntries(
    Object.entries(draft.changes).map(([key, text]) => [key, keys.has(key) ? undefined : text]),
  );
  return planned({ ...draft, changes }, Object.fromEntries(moved));
}

function planned({ changes, parts }: WriteDraft, beside: Changes): PlannedWrite {
  return {
    outcome: 'write',
    changes,
    ...(Object.keys(beside).length === 0 ? {} : { beside }),
    ...(parts.length === 0 ? {} : { parts }),
  };
}

function tooLarge(bytes: number): string {
  const { ordinary, hard } = stateSizeLimits;
  const would = `ConfigMap ${configMaps.state} would hold ${bytes} bytes`;
  if (bytes > hard) return `${would}, and Kubernetes takes at most ${hard}.`;
  return `${would}; above ${ordinary} there is only room to stop, to wake and to tell of it.`;
}
