import type { AnswerOf } from '../../contract/operations.ts';
import type { Logger } from '../../ports/logger.ts';
import { databaseStates } from '../../state/database-states.ts';
import { ignoredResources } from '../../state/ignored-resources.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { instantField } from '../outlook/wire.ts';
import { leftAlone } from '../resources/left-alone.ts';
import { degrade } from '../state/managed-state.ts';
import { isDown } from './status.ts';

/** What a dashboard shows. Two keys only degrade it here; `needed-or-degraded-keys.ts` says it of those that the outlook asks for. */
export function dashboardStatus(
  outlook: Outlook,
  snapshot: StateSnapshot,
  logger: Logger,
): AnswerOf<'dashboardStatus'> {
  const { compiled, state, desired, workloads, sessions, now } = outlook;
  const { config } = compiled;
  const configured = Object.keys(config.databases);
  const known = degrade(snapshot, databaseStates, logger, 'warn');
  const statuses = configured.flatMap((name) => {
    const status = known.get(name)?.status;
    return status === undefined ? [] : [[name, status] as const];
  });
  const { managed, up, hibernated } = workloads.counts;
  const stored = degrade(snapshot, ignoredResources, logger, 'debug');
  // A list that cannot be decoded counts as none.
  const excluded = snapshot.read(ignoredResources).ok ? leftAlone(stored, workloads).length : 0;
  return {
    clusterName: config.clusterName,
    active: isDown(outlook),
    state,
    timezone: config.workingHours.timezone,
    ...instantField('nextChangeAt', desired.nextChangeAt),
    resources: { managed, up, hibernated, excluded },
    externalWake: {
      enabled: config.externalWake.enabled,
      activeSessions: sessions.filter(({ expiresAt }) => expiresAt > now).length,
    },
    databases: { configured: configured.length, statuses: Object.fromEntries(statuses) },
  };
}
