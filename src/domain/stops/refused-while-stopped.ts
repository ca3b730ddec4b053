import type { StopCause } from './refusal-causes.ts';

export type ScalingRefusal =
  | {
      readonly status: 409;
      readonly code: 'stood_down';
      readonly message: string;
      readonly details: { readonly causes: readonly StopCause[] };
    }
  | { readonly status: 409; readonly code: 'unlicensed'; readonly message: string };

/**
 * The answer to Trigger Manual Hibernation, Wake Up Resources and Resume Schedule; undefined lets them pass. A wake that
 * another cluster asks for is never refused for this: nothing is down while the service is stopped, so it succeeds.
 */
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
