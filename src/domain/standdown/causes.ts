import { isStoodDown, type StandDownState } from './state.ts';

/** What keeps the service from scaling: the members of `details.causes`. */
export type StopCause = 'stand_down' | 'license';

export function stopCauses(state: StandDownState, licenseActs: boolean): readonly StopCause[] {
  return [...(isStoodDown(state) ? (['stand_down'] as const) : []), ...(licenseActs ? [] : (['license'] as const))];
}

export type ScalingRefusal =
  | {
      readonly status: 409;
      readonly code: 'stood_down';
      readonly message: string;
      readonly details: { readonly causes: readonly StopCause[] };
    }
  | { readonly status: 409; readonly code: 'unlicensed'; readonly message: string };

/** The answer to Trigger Manual Hibernation, Wake Up Resources and Resume Schedule; undefined lets them pass. */
export function refuseScaling(causes: readonly StopCause[]): ScalingRefusal | undefined {
  if (causes.includes('stand_down')) {
    return {
      status: 409,
      code: 'stood_down',
      message: 'The service is stood down and scales nothing.',
      details: { causes },
    };
  }
  if (causes.length === 0) return undefined;
  return { status: 409, code: 'unlicensed', message: 'The license does not let the service act.' };
}

/** Who a handback's wake is initiated by. */
export function handbackActor(actor: string): string {
  return `${actor} (stand-down)`;
}

/** Who a hibernation is started by when a stand-down ends inside a hibernation window. */
export function standDownEndedBy(actor: string): string {
  return `${actor} (stand-down ended)`;
}
