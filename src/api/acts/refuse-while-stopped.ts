import { stopCauses } from '../../domain/stops/refusal-causes.ts';
import { refuseScaling } from '../../domain/stops/refused-while-stopped.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import { standDown } from '../../state/stand-down.ts';
import { Refusal } from '../call/refusal.ts';
import type { Outlooks } from '../outlook/outlook.ts';
import { need } from '../state/managed-state.ts';

/** Every refusal of an act that scales, before anything is written. */
export function refuseWhileStopped(snapshot: StateSnapshot, outlooks: Outlooks): void {
  need(snapshot, resourceStates);
  need(snapshot, wakeOverride);
  const causes = stopCauses(need(snapshot, standDown), outlooks.license(snapshot).acts);
  const refusal = refuseScaling(causes);
  if (refusal === undefined) return;
  const details = 'details' in refusal ? { details: { causes: [...refusal.details.causes] } } : {};
  throw new Refusal(refusal.code, refusal.message, details);
}
