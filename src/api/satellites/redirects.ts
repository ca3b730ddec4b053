import { satelliteWanted, serviceUnreadable } from '../../domain/redirect/night.ts';
import { serviceKey } from '../../domain/redirect/service.ts';
import { redirectNight, wantedAtNight } from '../../service/redirect-night.ts';
import type { StateSnapshot } from '../../state/snapshot.ts';
import type { ApiPorts } from '../call/ports.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { degrade } from '../state/managed-state.ts';

/** A Service that the configuration names, and why it gets no satellite in the night; undefined when it gets one. */
export interface Redirect {
  readonly service: string;
  readonly reason?: string;
}

/** Every named Service, each read from the cluster, by the rule that the controller goes by. Empty while redirection is off. */
export function redirectsOf(
  { config, services, logger }: Pick<ApiPorts, 'config' | 'services' | 'logger'>,
  snapshot: StateSnapshot,
  { desired, compiled, workloads }: Outlook,
): Promise<readonly Redirect[]> {
  const { enabled, services: named } = config().serviceRedirection;
  if (!enabled) return Promise.resolve([]);
  const night = redirectNight(
    snapshot,
    (codec) => degrade(snapshot, codec, logger, 'debug'),
    desired,
    wantedAtNight(workloads.items, desired, compiled),
  );
  return Promise.all(
    named.map(async (ref) => {
      const wanted = await services.read(ref).then(
        (service) => satelliteWanted(night, ref, service),
        (error: unknown) => ({ wanted: false as const, reason: serviceUnreadable(error) }),
      );
      return { service: serviceKey(ref), ...(wanted.wanted ? {} : { reason: wanted.reason }) };
    }),
  );
}
