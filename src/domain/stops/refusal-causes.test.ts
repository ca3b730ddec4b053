import { describe, expect, it } from 'vitest';
import { handbackActor, standDownEndedBy } from './actor-names.ts';
import { stopCauses } from './refusal-causes.ts';
import { refuseScaling } from './refused-while-stopped.ts';
import { notStoodDown, type StandDownState } from './stand-down-state.ts';

const held: StandDownState = { configuration: { at: 0 }, handbackDone: false, unannounced: [] };

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

describe('who a transition is named after', () => {
  it('is who stood down, for the handback', () =>
    expect(handbackActor('configuration')).toBe('configuration (stand-down)'));
  it('is who ended the stand-down, for the hibernation that follows', () =>
    expect(standDownEndedBy('bob@example.com')).toBe('bob@example.com (stand-down ended)'));
});
