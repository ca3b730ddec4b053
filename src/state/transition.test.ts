import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonCodes } from '../domain/wake/verdict/failure-sentence.ts';
import type { Lift, TierState, WakeState, WriteOff } from '../domain/wake/verdict/wake-state.ts';
import type { HibernationPayload } from './hibernation-payload.ts';
import { type Payload, type Transition, transition } from './transition.ts';
import type { WakePayload } from './wake-payload.ts';

const start = 'The value of transition in ConfigMap svc-state cannot be decoded: ';

const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });
const duration = fc.oneof(fc.nat(100_000_000), fc.double({ min: 0, max: 1e9, noNaN: true }).map(Math.abs));
const name = fc.oneof(
  fc.string(),
  fc.constantFrom('Deployment shop/cart', '__proto__', 'constructor', 'everything else'),
);
const names = fc.array(name, { maxLength: 4 });
const messages = fc.dictionary(name, fc.string(), { maxKeys: 4, noNullPrototype: true });

const tier: fc.Arbitrary<TierState> = optionals(
  { name, barrierMs: duration, workloads: fc.nat(100_000), databases: names },
  {
    startedAt: instant,
    judgedAt: instant,
    releasedAt: instant,
    releasedBy: fc.constantFrom('settled' as const, 'barrier' as const),
  },
);

const lift: fc.Arbitrary<Lift> = optionals(
  { at: instant, ending: fc.constantFrom('restart' as const, 'waiting' as const, 'unmeasured' as const) },
  { gapMs: duration, restarts: fc.nat(1_000), broken: fc.constant(true as const) },
);

const writeOff: fc.Arbitrary<WriteOff> = optionals(
  { code: fc.constantFrom(...reasonCodes), at: instant },
  { ms: duration, detail: fc.string(), killMs: duration, again: fc.constant(true as const), lift },
);

const wakeState: fc.Arbitrary<WakeState> = optionals(
  {
    id: name,
    startedAt: instant,
    failOpenMs: duration,
    tiers: fc.array(tier, { maxLength: 4 }),
    writeOffs: fc.dictionary(name, writeOff, { maxKeys: 4, noNullPrototype: true }),
  },
  {
    resumedAt: instant,
    endedAt: instant,
    endedBy: fc.constantFrom('settled' as const, 'fail_open' as const, 'superseded' as const, 'not_observed' as const),
  },
);

const wakePayload: fc.Arbitrary<WakePayload> = optionals(
  { kind: fc.constant('wake' as const), wake: wakeState, refused: messages },
  { hosts: fc.array(optionals({ cluster: name, until: instant }, { why: fc.string() }), { maxLength: 3 }) },
);

const hibernationPayload: fc.Arbitrary<HibernationPayload> = optionals(
  {
    kind: fc.constant('hibernation' as const),
    tierStartedAt: instant,
    tiersDone: names,
    tiersTimedOut: names,
    respected: names,
    failed: messages,
  },
  { tier: name, only: names },
);

const text = fc.string({ minLength: 1, maxLength: 100 });
const running: fc.Arbitrary<Transition<Payload>> = fc
  .record({
    id: text,
    startedAt: instant,
    trigger: fc.record({ actor: text, cause: text }),
    payload: fc.oneof<fc.Arbitrary<Payload>[]>(wakePayload, hibernationPayload),
  })
  .map((parts) => ({ kind: parts.payload.kind, ...parts }));

describe('the transition, as it is stored', () => {
  it('decodes to what was encoded, every field of a wake and of a hibernation', () => {
    fc.assert(
      fc.property(running, (value) => {
        expect(transition.decode(transition.encode(value))).toEqual({ ok: true, value });
      }),
      { numRuns: 300 },
    );
  });

  it('with any one place of it changed is a valid value or is refused with that place, and never throws', () => {
    fc.assert(
      fc.property(running, fc.nat(), anything(), (value, nth, other) => {
        const json = JSON.parse(transition.encode(value)!);
        const places = placesIn(json);
        const place = places[nth % places.length]!;
        const decoded = transition.decode(JSON.stringify(changed(json, place, other)));
        if (decoded.ok) {
          // What is taken can be stored, and is the same when it is read again.
          expect(transition.decode(transition.encode(decoded.value))).toEqual(decoded);
          return;
        }
        expect(decoded.message.startsWith(start)).toBe(true);
        expect(decoded.message.length).toBeLessThan(1_200);
        // Another kind makes the payload wrong; everything else is wrong where it was changed.
        if (place[0] === 'kind') return;
        for (const step of place) {
          expect(decoded.message).toContain(typeof step === 'string' ? step : `entry ${step + 1}`);
        }
      }),
      { numRuns: 800 },
    );
  });

  it('holds the words of a refusal once, beside the write-off that it led to', () => {
    const message = 'admission webhook "policy" denied the request';
    const key = 'Deployment shop/cart';
    const wake = { id: 'w', startedAt: 1, failOpenMs: 1, tiers: [] };
    const writeOffs = { [key]: { code: 'scale_refused', at: 2, detail: message } } as const;
    const payload = { kind: 'wake', wake: { ...wake, writeOffs }, refused: { [key]: message } } as const;
    const value = { kind: 'wake', id: 'w', startedAt: 0, trigger: { actor: 'a', cause: 'c' }, payload } as const;
    const stored = transition.encode(value)!;
    expect(stored.split(JSON.stringify(message))).toHaveLength(2);
    expect(transition.decode(stored)).toEqual({ ok: true, value });
    expect(transition.decode(stored.replace(JSON.stringify(message), '7'))).toMatchObject({ ok: false });
    expect(transition.decode(stored.replace(`"refused":{"${key}"`, '"refused":{"another"'))).toEqual({
      ok: false,
      message: `${start}field payload, field wake, field writeOffs, ${key}, field detailIn must be the word refused, with a message of that name in field refused, not "refused".`,
    });
  });

  const envelope = '"version":1,"id":"t","startedAt":"2026-11-13T19:00:00Z","trigger":{"actor":"a","cause":"c"}';
  const wake = (state: string, more = '') =>
    `{${envelope},"kind":"wake","payload":{"wake":{"id":"w","startedAt":1,"failOpenMs":1,${state}}${more}}}`;
  const tierText = '"name":"a","barrierMs":1,"workloads":1,"databases":[]';
  const hibernation = (payload: string) => `{${envelope},"kind":"hibernation","payload":{${payload}}}`;
  const at = 'field payload, field wake';
  const refused: readonly (readonly [string, string])[] = [
    [wake('"tiers":[null],"writeOffs":{}'), `${at}, field tiers, entry 1 must be an object, not null.`],
    [wake('"tiers":{},"writeOffs":{}'), `${at}, field tiers must be an array, not an object.`],
    [wake('"tiers":[]'), `${at}, field writeOffs must be an object, not absent.`],
    [
      wake(`"tiers":[{${tierText}},{${tierText},"startedAt":"now"}],"writeOffs":{}`),
      `${at}, field tiers, entry 2, field startedAt must be a time in milliseconds since 1970, not "now".`,
    ],
    [
      wake(`"tiers":[{${tierText},"releasedBy":"us"}],"writeOffs":{}`),
      `${at}, field tiers, entry 1, field releasedBy must be one of settled, barrier, not "us".`,
    ],
    [
      wake('"tiers":[],"writeOffs":{"Deployment shop/cart":{"code":"late","at":1}}'),
      `${at}, field writeOffs, Deployment shop/cart, field code must be one of ${reasonCodes.join(', ')}, not "late".`,
    ],
    [
      wake('"tiers":[],"writeOffs":{"Deployment shop/cart":{"code":"unreadable","at":1,"again":false}}'),
      `${at}, field writeOffs, Deployment shop/cart, field again must be true or absent, not false.`,
    ],
    [
      wake('"tiers":[],"writeOffs":{"a":{"code":"unreadable","at":1,"lift":{"at":1,"ending":"back","gapMs":-1}}}'),
      `${at}, field writeOffs, a, field lift, field gapMs must be a number of milliseconds, not -1.`,
    ],
    [
      wake('"tiers":[],"writeOffs":{}', ',"refused":{"Deployment shop/cart":7}'),
      'field payload, field refused, Deployment shop/cart must be a text, not 7.',
    ],
    [
      hibernation('"tierStartedAt":null'),
      'field payload, field tierStartedAt must be a time in milliseconds since 1970, not null.',
    ],
    [hibernation('"tierStartedAt":1,"tier":1'), 'field payload, field tier must be a text, not 1.'],
    [hibernation('"tierStartedAt":1,"only":[1]'), 'field payload, field only, entry 1 must be a text, not 1.'],
  ];
  for (const [stored, why] of refused) {
    it(`is refused by its place: ${why}`, () => {
      expect(transition.decode(stored)).toEqual({ ok: false, message: start + why });
    });
  }
});

type Place = readonly (string | number)[];

/** Every place of a value but the value itself. */
function placesIn(json: unknown, above: Place = []): readonly Place[] {
  if (typeof json !== 'object' || json === null) return [];
  const steps: (string | number)[] = Array.isArray(json) ? [...json.keys()] : Object.keys(json);
  return steps.flatMap((step) => {
    const place = [...above, step];
    return [place, ...placesIn((json as Record<string | number, unknown>)[step], place)];
  });
}

const removed = Symbol('removed');

function anything() {
  return fc.oneof(fc.constant(removed), fc.constant(null), fc.constantFrom(-1, 1.5, 1e20, true, false), fc.jsonValue());
}

function changed(json: unknown, [step, ...rest]: Place, other: unknown): unknown {
  if (Array.isArray(json)) {
    return json.flatMap((one, index) => {
      if (index !== step) return [one];
      if (rest.length > 0) return [changed(one, rest, other)];
      return other === removed ? [] : [other];
    });
  }
  const entries = Object.entries(json as Record<string, unknown>).flatMap(([key, one]): [string, unknown][] => {
    if (key !== step) return [[key, one]];
    if (rest.length > 0) return [[key, changed(one, rest, other)]];
    return other === removed ? [] : [[key, other]];
  });
  return Object.fromEntries(entries);
}

/** A record of which some fields may be absent. */
function optionals<R extends object, O extends object>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  more: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<R & Partial<O>> {
  return fc
    .tuple(fc.record(required), fc.record(more, { requiredKeys: [] }))
    .map(([fixed, given]) => ({ ...fixed, ...given }) as R & Partial<O>);
}
