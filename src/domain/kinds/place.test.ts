import { describe, expect, it } from 'vitest';
import type { Sleep } from './kind-row.ts';
import { isHeldEmpty, patchAt, placeText, stepsTo, stepsToLone, valueAt } from './place.ts';

const suspend: Sleep = { by: 'field', pointer: '/spec/suspend', value: true };
const paused: Sleep = { by: 'annotation', name: 'autoscaling.keda.sh/paused-replicas', value: '0' };

describe('the place that a kind sleeps by', () => {
  const rows: Record<string, [Sleep, readonly string[], string]> = {
    'a count': [{ by: 'scale', pointer: '/spec/replicas' }, ['spec', 'replicas'], 'spec.replicas'],
    'a field': [suspend, ['spec', 'suspend'], 'spec.suspend'],
    'a key with a slash, and one with a tilde': [
      { by: 'field', pointer: '/spec/nodeSelector/svc.io~1asleep/a~01', value: 'true' },
      ['spec', 'nodeSelector', 'svc.io/asleep', 'a~1'],
      'spec.nodeSelector.svc.io/asleep.a~1',
    ],
    'an annotation': [
      paused,
      ['metadata', 'annotations', 'autoscaling.keda.sh/paused-replicas'],
      'the annotation autoscaling.keda.sh/paused-replicas',
    ],
  };
  it.each(Object.entries(rows))('%s', (_, [sleep, steps, text]) => {
    expect(stepsTo(sleep)).toEqual(steps);
    expect(placeText(sleep)).toBe(text);
  });
});

describe('the value at a place', () => {
  const steps = stepsTo(suspend);
  const rows: Record<string, [unknown, unknown]> = {
    'is what stands there': [{ spec: { suspend: false } }, false],
    'is absent where the field is': [{ spec: {} }, undefined],
    'is absent where something before it is': [{}, undefined],
    'is absent behind a text': [{ spec: 'suspend' }, undefined],
    'is absent where null stands: a merge patch cannot tell them apart': [{ spec: { suspend: null } }, undefined],
    'is never inherited': [{ spec: Object.create({ suspend: true }) }, undefined],
  };
  it.each(Object.entries(rows))('%s', (_, [object, expected]) => {
    expect(valueAt(object, steps)).toBe(expected);
  });
});

describe('what goes with a value that is taken away', () => {
  const steps = ['spec', 'template', 'pod', 'asleep'];
  const rows: Record<string, [unknown, number]> = {
    'is the value alone, where others stand beside it': [{ template: { pod: { asleep: 1, image: 'x' } } }, 4],
    'is what holds nothing else': [{ template: { pod: { asleep: 1 }, other: {} } }, 3],
    'is the topmost that holds nothing else': [{ template: { pod: { asleep: 1 } }, other: {} }, 2],
    'is never the spec': [{ template: { pod: { asleep: 1 } } }, 2],
  };
  it.each(Object.entries(rows))('%s', (_, [spec, expected]) => {
    expect(stepsToLone({ spec }, steps)).toBe(expected);
  });
});

describe('what would hold a value', () => {
  const steps = ['spec', 'template', 'asleep'];
  const rows: Record<string, [unknown, boolean]> = {
    'is there and empty': [{ template: {} }, true],
    'is not empty': [{ template: { image: 'x' } }, false],
    'is not there': [{}, false],
    'is a text': [{ template: '' }, false],
  };
  it.each(Object.entries(rows))('%s', (_, [spec, expected]) => {
    expect(isHeldEmpty({ spec }, steps)).toBe(expected);
  });
  it('is the spec, which is always there', () => {
    expect(isHeldEmpty({ spec: {} }, ['spec', 'asleep'])).toBe(false);
  });
});

describe('the patch of a place', () => {
  it('names the place and nothing else', () => {
    expect(patchAt(['spec', 'suspend'], true)).toEqual({ spec: { suspend: true } });
  });
  it('takes a value away with null', () => {
    expect(patchAt(['spec', 'suspend'], null)).toEqual({ spec: { suspend: null } });
  });
});
