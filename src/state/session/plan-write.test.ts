import { describe, expect, it } from 'vitest';
import type { WorkloadRecord } from '../../domain/record/record.ts';
import { notStoodDown } from '../../domain/stops/stand-down-state.ts';
import type { NewPart, StatePart } from '../parts/state-part.ts';
import { resourceStates } from '../resource-states.ts';
import { stateSizeLimits } from '../size.ts';
import { decodeState, set } from '../snapshot.ts';
import { standDown } from '../stand-down.ts';
import type { StoredState } from '../state-store.ts';
import { transition } from '../transition.ts';
import { type PlannedWrite, planStateWrite } from './plan-write.ts';

const at = Date.parse('2026-11-13T19:00:00Z');
const sizes = { state: 700, part: 500, value: 300 };

function records(count: number): readonly WorkloadRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'Deployment',
    namespace: 'shop',
    name: `app-${String(index).padStart(3, '0')}`,
    uid: 'u',
    replicas: 2,
    at,
  }));
}

function stored(data: Record<string, string> = {}, parts: readonly StatePart[] = [], next = 1): StoredState {
  return { data, resourceVersion: '7', continuation: { parts, next, sizes } };
}

/** What the state is after the write. */
function afterWrite(before: StoredState, { changes, parts = [] }: PlannedWrite): StoredState {
  const data = Object.fromEntries(
    Object.entries({ ...before.data, ...changes }).filter(([, text]) => text !== undefined),
  );
  const made = parts.map((part: NewPart) => ({ ...part, version: { uid: part.name, resourceVersion: '1' } }));
  const named = JSON.parse((data['continued'] as string | undefined) ?? '{}') as Record<string, string[]>;
  const kept = [...(before.continuation?.parts ?? []), ...made].filter(({ key, name }) => named[key]?.includes(name));
  return stored(data as Record<string, string>, kept, (before.continuation?.next ?? 1) + parts.length);
}

function written(before: StoredState, list: readonly WorkloadRecord[]): StoredState {
  const plan = planStateWrite(decodeStored(before), [set(resourceStates, list)]);
  if (plan.outcome !== 'write') throw new Error(plan.outcome);
  return afterWrite(before, plan);
}

/** As a session does. */
const decodeStored = (state: StoredState) => decodeState(state.data, state.resourceVersion, state);

const readBack = (state: StoredState) => decodeStored(state).read(resourceStates);

describe('records that outgrow one ConfigMap', () => {
  it('stay in svc-state alone while there is room', () => {
    const state = written(stored(), records(3));
    expect([Object.keys(state.data), state.continuation?.parts]).toEqual([['resource_states'], []]);
  });

  it('go on in parts that svc-state names, each a list of its own, and are read as one', () => {
    const state = written(stored(), records(40));
    expect(JSON.parse(state.data['continued']!)).toEqual({
      resource_states: state.continuation!.parts.map(({ name }) => name),
    });
    expect(state.continuation!.parts.map(({ name }) => name).slice(0, 2)).toEqual(['svc-state-1', 'svc-state-2']);
    for (const { text } of state.continuation!.parts) expect(resourceStates.decode(text).ok).toBe(true);
    expect(readBack(state)).toEqual({ ok: true, value: records(40) });
  });

  it('are written nowhere when they are there already', () => {
    const state = written(stored(), records(40));
    expect(planStateWrite(decodeStored(state), [set(resourceStates, records(40))])).toEqual({ outcome: 'nothing' });
  });

  it('never use a number again', () => {
    const state = written(stored(), records(40));
    const again = written(state, records(41));
    const before = new Set(state.continuation!.parts.map(({ name }) => name));
    expect(again.continuation!.parts.some(({ name }) => !before.has(name))).toBe(true);
    expect(Object.keys(written(again, []).data)).toEqual(['resource_states']);
  });

  it.each([
    ['gone', undefined, true],
    ['spoilt', '{broken', false],
  ])('of which a part is %s are known as far as the others hold them', (_, text, ok) => {
    const { data, continuation } = written(stored(), records(40));
    const [first, ...others] = continuation!.parts;
    const { version: _version, ...gone } = { ...first!, text };
    const decoded = readBack(stored(data, [gone, ...others], 9));
    const lost = resourceStates.decode(first!.text);
    const left = records(40).filter(({ name }) => !(lost.ok && lost.value.some((one) => one.name === name)));
    expect(decoded).toEqual(
      ok
        ? { ok, value: left }
        : {
            ok,
            message: `The value of resource_states in ConfigMap ${first!.name} cannot be decoded: it is not valid JSON.`,
            rest: left,
          },
    );
  });

  it('that are in two places are one when they agree, and refused when they do not', () => {
    const { data, continuation } = written(stored(), records(40));
    const [first, ...others] = continuation!.parts;
    const twice = (count: number) => {
      const text = first!.text!.replace(/\}\}\n\]$/, `,\n"app-000":"${count} u"}}\n]`);
      return readBack(stored(data, [{ ...first!, text }, ...others]));
    };
    expect(twice(2)).toEqual({ ok: true, value: records(40) });
    expect(twice(5)).toMatchObject({
      ok: false,
      message: `The value of resource_states cannot be decoded: Deployment shop/app-000 is in ConfigMap svc-state and, otherwise, in ${first!.name}.`,
      rest: records(40).slice(1),
    });
  });

  it('whose parts cannot be told are not written, and nothing else waits for them', () => {
    const snapshot = decodeStored({ data: { continued: '{broken' }, resourceVersion: '7' });
    expect(planStateWrite(snapshot, [set(resourceStates, [])])).toMatchObject({ why: 'undecodable' });
    const plan = planStateWrite(snapshot, [set(standDown, { ...notStoodDown, configuration: { at } })]);
    expect(plan).toMatchObject({ outcome: 'write' });
    expect(Object.keys((plan as PlannedWrite).changes)).toEqual(['stand_down']);
  });

  it('make room for everything else, and nothing is lost by it', () => {
    const text = resourceStates.encode(records(10))!;
    const filled = stored({ resource_states: text, note: 'x'.repeat(stateSizeLimits.hard - text.length) });
    const edit = set(standDown, { ...notStoodDown, configuration: { at } });
    const plan = planStateWrite(decodeStored(filled), [edit], 'reserve') as PlannedWrite;
    const state = afterWrite(filled, plan);
    expect([plan.outcome, state.data['stand_down'], 'beside' in plan]).toEqual(['write', edit.text, false]);
    expect(readBack(state)).toEqual({ ok: true, value: records(10) });
  });
});

describe('a stop for which somebody left no room', () => {
  const full = { note: 'x'.repeat(stateSizeLimits.hard) };
  const edit = set(standDown, { ...notStoodDown, configuration: { at } });

  it('is kept beside the data', () => {
    const plan = planStateWrite(decodeStored(stored(full)), [edit], 'reserve');
    expect(plan).toMatchObject({ changes: { stand_down: undefined }, beside: { stand_down: edit.text } });
    expect(planStateWrite(decodeStored(stored(full)), [edit], 'ordinary').outcome).toBe('refused');
  });

  it('is moved back when there is room again, and goes from there', () => {
    const beside = { ...stored({ stand_down: edit.text! }), beside: ['stand_down'] };
    const other = set(standDown, { ...notStoodDown, configuration: { at }, handbackDone: true });
    expect(planStateWrite(decodeStored(beside), [other])).toMatchObject({
      changes: { stand_down: other.text },
      beside: { stand_down: undefined },
    });
    const stillFull = { ...stored({ ...full, stand_down: edit.text! }), beside: ['stand_down'] };
    expect(planStateWrite(decodeStored(stillFull), [set(standDown, notStoodDown)])).toMatchObject({
      changes: { stand_down: undefined },
      beside: { stand_down: undefined },
    });
  });
});

describe('a transition that is in trouble with many workloads', () => {
  const wake = (count: number) =>
    ({
      kind: 'hibernation',
      id: 'hibernation-1',
      startedAt: at,
      trigger: { actor: 'schedule', cause: 'schedule' },
      payload: {
        kind: 'hibernation',
        tierStartedAt: at,
        tiersDone: [],
        tiersTimedOut: [],
        respected: [],
        failed: Object.fromEntries(records(count).map(({ name }) => [`Deployment shop/${name}`, 'refused: ä'])),
      },
    }) as const;

  it('goes on in parts, and comes back when it is short', () => {
    const plan = planStateWrite(decodeStored(stored()), [set(transition, wake(60))]) as PlannedWrite;
    const state = afterWrite(stored(), plan);
    expect([Object.keys(state.data), state.continuation!.parts.length > 2]).toEqual([['continued'], true]);
    expect(decodeStored(state).read(transition)).toEqual({ ok: true, value: wake(60) });
    expect(planStateWrite(decodeStored(state), [set(transition, wake(60))])).toEqual({ outcome: 'nothing' });
    const short = planStateWrite(decodeStored(state), [set(transition, null)]) as PlannedWrite;
    expect(afterWrite(state, short).data).toEqual({});
  });

  it('of which a part is gone cannot be decoded', () => {
    const state = afterWrite(
      stored(),
      planStateWrite(decodeStored(stored()), [set(transition, wake(60))]) as PlannedWrite,
    );
    const [first, ...others] = state.continuation!.parts;
    const { text: _, version: _version, ...gone } = first!;
    const snapshot = decodeStored(stored(state.data, [{ ...gone, text: undefined }, ...others]));
    expect(snapshot.read(transition)).toEqual({
      ok: false,
      message: `The value of transition goes on in ConfigMap ${first!.name}, which is gone.`,
    });
  });
});
