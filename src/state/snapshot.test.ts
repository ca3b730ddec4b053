import { describe, expect, it } from 'vitest';
import { endedSessions } from './access/ended-sessions.ts';
import type { StateCodec } from './codec/codec.ts';
import { wakeOverride } from './intents/wake-override.ts';
import { resourceStates } from './resource-states.ts';
import { planStateWrite } from './session/plan-write.ts';
import { sizeLevel, stateSize, stateSizeLimits } from './size.ts';
import { decodeState, set, setAside, setAsideKey, setIfReadable } from './snapshot.ts';
import { transition } from './transition.ts';

const at = Date.parse('2026-11-13T19:00:00Z');
const override = { until: at + 1_000, by: 'ada', at };
const overrideText = '{"until":"2026-11-13T19:00:01Z","by":"ada","at":"2026-11-13T19:00:00Z"}';

describe('a snapshot', () => {
  it('of an absent ConfigMap is empty and has no version', () => {
    const snapshot = decodeState(undefined);
    expect(snapshot.read(resourceStates)).toEqual({ ok: true, value: [] });
    expect('resourceVersion' in snapshot).toBe(false);
  });

  it('decodes a key once, and no other key', () => {
    const asked: (string | undefined)[] = [];
    const counting: StateCodec<number> = {
      key: 'resource_states',
      empty: 0,
      decode(text) {
        asked.push(text);
        return { ok: true, value: 1 };
      },
      encode: String,
    };
    const snapshot = decodeState({ resource_states: 'x', wake_override: 'undecodable' }, '7');
    snapshot.read(counting);
    snapshot.read(counting);
    expect(asked).toEqual(['x']);
    expect(snapshot.resourceVersion).toBe('7');
  });

  it('finds no key that the ConfigMap does not hold', () => {
    const keyless = { ...resourceStates, key: 'constructor' };
    expect(decodeState({}).read(keyless)).toEqual({ ok: true, value: [] });
  });
});

describe('a planned write', () => {
  it('holds only what changes', () => {
    const snapshot = decodeState({ resource_states: '[]' }, '7');
    expect(planStateWrite(snapshot, [set(resourceStates, []), set(wakeOverride, override)])).toEqual({
      outcome: 'write',
      changes: { wake_override: overrideText },
    });
  });

  it('removes a key that becomes empty', () => {
    const plan = planStateWrite(decodeState({ wake_override: overrideText }), [set(wakeOverride, null)]);
    expect(plan).toEqual({ outcome: 'write', changes: { wake_override: undefined } });
  });

  it('is nothing when the state already says so', () => {
    const snapshot = decodeState({ wake_override: overrideText });
    expect(planStateWrite(snapshot, [set(wakeOverride, override)])).toEqual({ outcome: 'nothing' });
  });

  it('never replaces a value that cannot be decoded', () => {
    const snapshot = decodeState({ resource_states: 'garbled' });
    expect(planStateWrite(snapshot, [set(wakeOverride, override), set(resourceStates, [])])).toEqual({
      outcome: 'refused',
      why: 'undecodable',
      key: 'resource_states',
      message: 'The value of resource_states in ConfigMap svc-state cannot be decoded: it is not valid JSON.',
    });
  });

  it('leaves an undecodable value that it does not touch alone', () => {
    const plan = planStateWrite(decodeState({ resource_states: 'garbled' }), [set(wakeOverride, override)]);
    expect(plan).toMatchObject({ outcome: 'write', changes: { wake_override: overrideText } });
  });

  it('is refused above the limit of the apiserver', () => {
    const edit = set(endedSessions, [{ session: 'hash', until: at + 3_600_000 }]);
    const plan = planStateWrite(decodeState({ other: 'x'.repeat(1_048_576) }), [edit]);
    expect(plan).toEqual({
      outcome: 'refused',
      why: 'too-large',
      message: 'ConfigMap svc-state would hold 1048629 bytes, and Kubernetes takes at most 1048576.',
    });
  });

  it('may shrink a state that is over the limit: waking goes on when hibernating cannot', () => {
    const snapshot = decodeState({ other: 'x'.repeat(1_048_577), wake_override: overrideText });
    expect(planStateWrite(snapshot, [set(wakeOverride, null)])).toMatchObject({ outcome: 'write' });
  });
});

describe('room in the state', () => {
  const { ordinary, hard } = stateSizeLimits;
  const filled = (bytes: number, more: Record<string, string> = {}) =>
    decodeState({ ...more, other: 'x'.repeat(bytes - Object.values(more).join('').length) });
  const edit = [set(wakeOverride, override)];

  it('for what begins something ends before the reserve', () => {
    expect(planStateWrite(filled(ordinary - overrideText.length), edit, 'ordinary').outcome).toBe('write');
    expect(planStateWrite(filled(ordinary), edit, 'ordinary')).toEqual({
      outcome: 'refused',
      why: 'too-large',
      message: `ConfigMap svc-state would hold ${ordinary + overrideText.length} bytes; above 917504 there is only room to stop, to wake and to tell of it.`,
    });
  });

  it('for what stops, wakes and tells goes to the limit of the apiserver', () => {
    expect(planStateWrite(filled(ordinary), edit, 'reserve').outcome).toBe('write');
    expect(planStateWrite(filled(hard - overrideText.length), edit, 'reserve').outcome).toBe('write');
    const sessions = set(endedSessions, [{ session: 'hash', until: at }]);
    const length = sessions.text?.length ?? 0;
    expect(planStateWrite(filled(hard - length), [sessions], 'reserve').outcome).toBe('write');
    expect(planStateWrite(filled(hard - length + 1), [sessions], 'reserve').outcome).toBe('refused');
  });

  it('is made, for what stops, by what the controller finds again and what only people read', () => {
    const ignored = `[${' '.repeat(500)}]`;
    const snapshot = filled(hard, { ignored_resources: ignored, [setAsideKey]: '{broken' });
    expect(planStateWrite(snapshot, edit, 'reserve')).toMatchObject({
      outcome: 'write',
      changes: { wake_override: overrideText, ignored_resources: undefined, [setAsideKey]: undefined },
    });
    expect(planStateWrite(snapshot, edit, 'ordinary').outcome).toBe('refused');
  });

  it('may always be given back', () => {
    const snapshot = filled(hard, { wake_override: overrideText });
    expect(planStateWrite(snapshot, [set(wakeOverride, null)], 'ordinary').outcome).toBe('write');
  });
});

describe('a value that cannot be decoded', () => {
  it('is left out of a write that can do without it', () => {
    const plan = planStateWrite(decodeState({ resource_states: 'garbled' }), [
      set(wakeOverride, override),
      setIfReadable(resourceStates, []),
    ]);
    expect(plan).toMatchObject({ outcome: 'write', changes: { wake_override: overrideText } });
    expect(planStateWrite(decodeState({}), [setIfReadable(resourceStates, [])])).toMatchObject({
      changes: { resource_states: '[]' },
    });
  });

  it('is moved aside whole; one that can be decoded is not', () => {
    const snapshot = decodeState({ transition: '{broken', wake_override: overrideText });
    expect(planStateWrite(snapshot, setAside(snapshot, transition))).toEqual({
      outcome: 'write',
      changes: { transition: undefined, [setAsideKey]: '{broken' },
    });
    expect(setAside(snapshot, wakeOverride)).toEqual([]);
  });
});

describe('the size of the state', () => {
  const levels: Record<number, string> = {
    0: 'normal',
    819200: 'normal',
    819201: 'warning',
    900000: 'warning',
    900001: 'critical',
    1048576: 'critical',
    1048577: 'full',
  };
  for (const [bytes, level] of Object.entries(levels)) {
    it(`of ${bytes} bytes is ${level}`, () => expect(sizeLevel(Number(bytes))).toBe(level));
  }
  it('counts bytes, not characters, and no keys', () => {
    expect(stateSize({ a: 'é', b: '😀', c: 'x' })).toEqual({ bytes: 7, level: 'normal' });
    expect(stateSize(undefined)).toEqual({ bytes: 0, level: 'normal' });
  });
});
