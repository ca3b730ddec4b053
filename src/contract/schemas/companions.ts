import * as Type from 'typebox';
import { instant, nullable, open, optional, words } from './basics.ts';

export const databases = open({
  items: Type.Array(
    open({
      /** Its key in `config.databases`. */
      name: Type.String(),
      type: words('instance', 'cluster'),
      identifier: Type.String(),
      region: Type.String(),
      /** The cloud's own word, as last seen; null while nothing is known. */
      status: nullable(Type.String()),
      /** When that was seen. */
      at: optional(instant),
      /** Only what the service stopped is started by it. */
      stoppedByUs: Type.Boolean(),
      /** False for one that we stopped and that the configuration has forgotten since. */
      configured: Type.Boolean(),
    }),
  ),
});

export const satellites = open({
  enabled: Type.Boolean(),
  items: Type.Array(
    open({
      namespace: Type.String(),
      service: Type.String(),
      /** `own`: its own pods answer. `starting`: a satellite is put up. `standing_in`: the satellite answers. */
      state: words('own', 'starting', 'standing_in'),
      since: optional(instant),
      /** Why it gets no satellite while the cluster sleeps; absent for one that does. */
      reason: optional(Type.String()),
      /** False for one that is still redirected though the configuration no longer names it. */
      configured: Type.Boolean(),
    }),
  ),
});
