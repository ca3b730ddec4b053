import { isStoodDown, type StandDownState } from './stand-down-state.ts';

/** What keeps the service from scaling: the members of `details.causes`. */
export type StopCause = 'stand_down' | 'license';

export function stopCauses(state: StandDownState, licenseActs: boolean): readonly StopCause[] {
  return [...(isStoodDown(state) ? (['stand_down'] as const) : []), ...(licenseActs ? [] : (['license'] as const))];
}
