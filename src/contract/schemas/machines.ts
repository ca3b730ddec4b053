import * as Type from 'typebox';
import { closed, count, instant, open, optional, text, words } from './basics.ts';

// What programs send: another cluster that needs this one, and our own controller.

const target = closed({ namespace: text(253), type: optional(text(32)), name: optional(text(253)) });

export const externalWakeBody = closed({
  resources: optional(Type.Array(target, { maxItems: 500, description: 'Left out: the whole cluster.' })),
  duration: optional(text(32, 'How long; at most `config.externalWake.quotas.maxWakeDuration`.')),
  origins: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      description: 'The clusters on whose account; the caller itself if left out.',
    }),
  ),
  host: optional(text(100, 'Which cluster is meant, by its `config.externalWake.localClusterName`.')),
});
const wakeSession = open({
  id: Type.String(),
  cluster: Type.String(),
  resources: Type.Array(
    open({ namespace: Type.String(), type: optional(Type.String()), name: optional(Type.String()) }),
  ),
  startedAt: instant,
  expiresAt: instant,
});
export const externalWakeAnswer = open({
  session: wakeSession,
  renewed: Type.Boolean(),
  /** Nothing of what was asked for is down any more. */
  ready: Type.Boolean(),
  /** Resources that were asked for and that this cluster has none of; it is not ready then. */
  notFound: optional(Type.Array(Type.String())),
});
/** One session of the caller; all of them while absent. */
export const externalWakeEndQuery = closed({ session: optional(Type.String({ maxLength: 128 })) });
export const externalWakeEnded = open({ ended: count });
export const wakeSessions = open({
  enabled: Type.Boolean(),
  items: Type.Array(wakeSession),
  quotas: open({ maxConcurrentWakes: count, maxWakeDuration: Type.String(), maxWakesPerHour: count }),
});

export const frameBody = closed({
  kind: words('stand-down-update', 'transition', 'audit', 'plan', 'status', 'deliveries'),
  payload: Type.Unknown(),
});
export const frameTaken = open({ streams: count });
