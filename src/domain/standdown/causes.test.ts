import { describe, expect, it } from 'vitest';
import { decideResumption, handbackActor, refuseScaling, stopCauses } from './causes.ts';
import { handbackProgress } from './handback.ts';
import { notStoodDown, type StandDownState } from './state.ts';

const held: StandDownState = { configuration: { at: 0 }, handbackDone: false, unannounced: [] };
const ended: StandDownState = { ...notStoodDown, ended: { actor: 'bob@example.com', at: 0 } };

describe('the causes that stop scaling', () => {
  it('are listed each, the stand-down first', () => {
    expect(stopCauses(held, false)).toEqual(['stand_down', 'license']);
    expect(stopCauses(held, true)).toEqual(['stand_down']);
    expect(stopCauses(notStoodDown, false)).toEqual(['license']);
    expect(stopCauses(notStoodDown, true)).toEqual([]);
  });
  it('refuse an action with every holding cause', () => {
    expect(refuseScaling(['stand_down', 'license'])).toEqual({
      status: 409,
      code: 'stood_down',
      message: 'The service is stood down and scales nothing.',
      details: { causes: ['stand_down', 'license'] },
    });
  });
  it('refuse as unlicensed when the license alone holds, and not at all when nothing does', () => {
    expect(refuseScaling(['license'])).toEqual({
      status: 409,
      code: 'unlicensed',
      message: 'The license does not let the service act.',
    });
    expect(refuseScaling([])).toBeUndefined();
  });
});

describe('when the last cause ends', () => {
  it('the cluster is hibernated at once inside a window, in the name of who ended it', () => {
    expect(decideResumption(ended, true, 'down')).toEqual({
      act: 'hibernate',
      actor: 'bob@example.com (stand-down ended)',
    });
  });
  it('the cluster stays up inside working hours', () => {
    expect(decideResumption(ended, true, 'up')).toEqual({ act: 'stay-up' });
  });
  it('nothing is scaled while the license holds', () => {
    expect(decideResumption(ended, false, 'down')).toEqual({ act: 'nothing', causes: ['license'] });
  });
  it('nothing is scaled while the other source holds', () => {
    expect(decideResumption(held, true, 'down')).toEqual({ act: 'nothing', causes: ['stand_down'] });
  });
  it('the schedule acts in its own name when it was the license that let go', () => {
    expect(decideResumption(notStoodDown, true, 'down')).toEqual({ act: 'hibernate', actor: 'schedule' });
  });
});

describe('the handback', () => {
  it('names what is missing until everything is back', () => {
    const progress = handbackProgress({
      workloads: [{ kind: 'Deployment', namespace: 'shop', name: 'cart' }],
      databases: ['orders'],
      satellites: [{ namespace: 'shop', name: 'web' }],
      autoscalerProtection: true,
      manualHibernation: true,
    });
    const pending = [
      'database orders',
      'Deployment shop/cart',
      'satellite shop/web',
      'node-autoscaler protection',
      'manual hibernation',
    ];
    expect(progress).toEqual({
      done: false,
      pending,
      log: { level: 'warn', message: 'Handback not finished, retrying on the next pass', fields: { pending } },
    });
  });
  it('is finished when nothing is missing', () => {
    const nothing = {
      workloads: [],
      databases: [],
      satellites: [],
      autoscalerProtection: false,
      manualHibernation: false,
    };
    expect(handbackProgress(nothing)).toEqual({
      done: true,
      pending: [],
      log: { level: 'info', message: 'Handback finished: everything that was scaled down is back', fields: {} },
    });
  });
  it('runs in the name of who stood down', () =>
    expect(handbackActor('configuration')).toBe('configuration (stand-down)'));
});
