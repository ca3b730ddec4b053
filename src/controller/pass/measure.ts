import type { DesiredState } from '../../domain/desired/desired-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Notifier } from '../../ports/notifier.ts';
import { clusterStateNow } from '../../service/cluster-state.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import { phase } from '../../state/phase.ts';
import { resourceStates } from '../../state/resource-states.ts';
import type { StateSession } from '../../state/session/state-session.ts';
import { stateSize } from '../../state/size.ts';
import { standDown } from '../../state/stand-down.ts';
import { transitionEnvelope } from '../../state/transition.ts';
import type { ControllerMetrics } from '../metrics/metrics.ts';
import { setStateSizeCondition } from '../notifications/alerts.ts';
import { setParameterSizeCondition } from '../notifications/parameter-size.ts';

export interface MeasuredPass {
  readonly clock: Clock;
  readonly metrics: ControllerMetrics;
  readonly notifier: Notifier;
  readonly session: StateSession;
  readonly compiled: CompiledConfig;
  readonly desired: DesiredState;
}

/** What a pass leaves behind, for the metrics and the alerts on the size of the state. */
export function measure({ clock, metrics, notifier, session, compiled, desired }: MeasuredPass): void {
  const stood = session.getOrEmpty(standDown);
  metrics.acting.set(desired.causes.length === 0 ? 1 : 0);
  const records = session.getOrEmpty(resourceStates);
  const state = clusterStateNow(session.getOrEmpty(transitionEnvelope), session.getOrEmpty(phase), records);
  metrics.hibernated.set(state === 'hibernated' ? 1 : 0);
  metrics.standDown.set({ source: 'admin' }, stood.admin === undefined ? 0 : 1);
  metrics.standDown.set({ source: 'configuration' }, stood.configuration === undefined ? 0 : 1);
  metrics.recordedWorkloads.set(records.length);
  const { bytes } = stateSize(session.snapshot.data);
  metrics.stateBytes.set(bytes);
  setStateSizeCondition(notifier, bytes, clock.now());
  setParameterSizeCondition(notifier, session.snapshot, compiled.config, clock.now());
}
