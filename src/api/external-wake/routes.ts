import { sessionAnnouncement } from '../../domain/announcement/external-wake.ts';
import { durationMs, parseDuration } from '../../domain/duration.ts';
import { decideEnd, decideWake } from '../../domain/externalwake/decide-wake.ts';
import { wakeProblem } from '../../domain/externalwake/permission.ts';
import { hourMs } from '../../domain/externalwake/quotas.ts';
import { isAwake, isServing, notFound } from '../../domain/externalwake/readiness.ts';
import { isLive, type WakeSession, type WakeTarget } from '../../domain/externalwake/session.ts';
import { externalWakeSessions } from '../../state/external-wake-sessions.ts';
import { externalWakeStarts } from '../../state/external-wake-starts.ts';
import { ignoredResources } from '../../state/ignored-resources.ts';
import { wakeOverride } from '../../state/intents/wake-override.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { type StateEdit, set, setIfReadable } from '../../state/snapshot.ts';
import { storing } from '../../state/storing.ts';
import type { Handlers } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { invalid, Refusal } from '../call/refusal.ts';
import { instant } from '../outlook/wire.ts';
import type { Intents } from '../state/intents.ts';
import { degrade, type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import { off } from '../status/routes.ts';

type ExternalWakeHandlers = Pick<Handlers, 'externalWake' | 'endExternalWake' | 'externalWakeSessions'>;

/** Sessions that other clusters hold here. A stand-down does not refuse them: nothing is down then. */
export function externalWakeHandlers(ports: ApiPorts, state: ManagedState, intents: Intents): ExternalWakeHandlers {
  const { clock, random } = ports;
  const inTurn = oneAtATime();
  return {
    async externalWake(call) {
      const cluster = callingCluster(ports, call.cluster);
      refuseMisdirected(ports, call.body?.host);
      const resources = (call.body?.resources ?? []) as readonly WakeTarget[];
      const { quotas, excludedNamespaces } = ports.config().externalWake;
      refuseForbidden(ports, cluster, resources);
      const asked = askedFor(call.body?.duration);
      const ask = {
        cluster,
        resources,
        id: `${cluster}-${Buffer.from(random.bytes(9)).toString('base64url')}`,
        ...(asked === undefined ? {} : { durationMs: asked }),
        ...(call.body?.origins === undefined ? {} : { origins: call.body.origins }),
      };
      const limits = { ...quotas, maxWakeDurationMs: durationMs(quotas.maxWakeDuration) };
      const decided = await inTurn(async () => {
        const answer = await intents.write((snapshot) => {
          const records = need(snapshot, resourceStates);
          need(snapshot, wakeOverride);
          if (resources.length > 0) need(snapshot, ignoredResources);
          const held = need(snapshot, externalWakeSessions);
          const starts = degrade(snapshot, externalWakeStarts, ports.logger, 'debug');
          const decision = decideWake(ask, held, {
            quotas: limits,
            startedInHour: starts,
            now: clock.now(),
            ownName: ports.config().clusterName,
          });
          if (decision.outcome === 'refused') throw tooMany(decision);
          const { session, sessions, change, outcome } = decision;
          const announcements = change === undefined ? [] : [sessionAnnouncement(change)];
          return {
            edits: [
              set(externalWakeSessions, sessions),
              ...startsNoted(outcome, starts, session.startedAt),
              ...storing(snapshot, announcements),
            ],
            answer: {
              session,
              outcome,
              ready: mayGoOn(ports, ask.cluster, outcome) || isAwake(resources, records, excludedNamespaces),
            },
          };
        });
        return answer;
      });
      const { session, outcome, ready } = decided;
      const answer = { session: wireSession(session), renewed: outcome === 'renewed' };
      // What is there is not known before the caches are filled: the cluster asks again.
      if (!ports.view.synced()) return { ...answer, ready: ready && resources.length === 0 };
      const missing = notFound(resources, ports.view.workloads());
      if (missing.length === 0) {
        const serving =
          mayGoOn(ports, cluster, outcome) || isServing(resources, ports.view.workloads(), excludedNamespaces);
        return { ...answer, ready: ready && serving };
      }
      if (outcome === 'started')
        ports.logger.warn('A cluster asks for resources that there are none of', { cluster, notFound: missing });
      return { ...answer, ready: false, notFound: [...missing] };
    },

    async endExternalWake(call) {
      const cluster = callingCluster(ports, call.cluster);
      return inTurn(() =>
        intents.write((snapshot) => {
          const { sessions, ended, changes } = decideEnd(
            cluster,
            need(snapshot, externalWakeSessions),
            clock.now(),
            call.query?.session,
          );
          const announcements = changes.map(sessionAnnouncement);
          const edits = [set(externalWakeSessions, sessions), ...storing(snapshot, announcements)];
          return { edits: ended.length === 0 ? [] : edits, answer: { ended: ended.length } };
        }),
      );
    },

    async externalWakeSessions() {
      const { snapshot } = await readOr503(state);
      const { enabled, quotas } = ports.config().externalWake;
      const sessions = degrade(snapshot, externalWakeSessions, ports.logger, 'debug');
      const live = sessions.filter((session) => isLive(session, clock.now()));
      return { enabled, items: live.map(wireSession), quotas: { ...quotas } };
    },
  };
}

function startsNoted(outcome: string, known: readonly number[], at: number): readonly StateEdit[] {
  if (outcome !== 'started') return [];
  return [setIfReadable(externalWakeStarts, [...known.filter((one) => one > at - hourMs), at])];
}

function callingCluster(ports: ApiPorts, cluster: string | undefined): string {
  if (!ports.config().externalWake.enabled) throw off('config.externalWake.enabled');
  if (cluster === undefined) throw new Refusal('signature_invalid');
  return cluster;
}

/** Addresses are exchanged now and then; whoever says whom it means is not served by another. */
function refuseMisdirected(ports: ApiPorts, host: string | undefined): void {
  const { localClusterName } = ports.config().externalWake;
  if (host === undefined || host === localClusterName) return;
  throw invalid('host', `is ${JSON.stringify(host)}, but this cluster is ${JSON.stringify(localClusterName)}`);
}

/** Only what the configuration lets this cluster name, and never an excluded namespace. */
function refuseForbidden(ports: ApiPorts, cluster: string, targets: readonly WakeTarget[]): void {
  const { clusters, excludedNamespaces } = ports.config().externalWake;
  const resources = clusters.find(({ name }) => name === cluster)?.resources ?? [];
  const problem = wakeProblem({ kinds: ports.compiled().kinds, cluster, resources, excludedNamespaces }, targets);
  if (problem === undefined) return;
  if (problem.code === 'invalid_request') throw invalid(problem.field, problem.message);
  throw new Refusal('forbidden', problem.message);
}

/** Of clusters that need each other none could ever be the first if each waited for the other. */
function mayGoOn(ports: ApiPorts, cluster: string, outcome: 'started' | 'renewed' | 'needless'): boolean {
  return outcome === 'needless' || ports.config().externalDependencies.some((host) => host.cluster === cluster);
}

/** Requests of other clusters are decided one after the other: a quota that each saw free is not used twice. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}

function askedFor(duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined;
  const parsed = parseDuration(duration);
  if (!parsed.ok) throw invalid('duration', parsed.error);
  if (parsed.ms <= 0) throw invalid('duration', 'must be longer than 0s');
  return parsed.ms;
}

function tooMany({ quota, message, retryAfterMs }: { quota: string; message: string; retryAfterMs: number }): Refusal {
  return new Refusal('quota_exceeded', message, {
    details: { quota },
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  });
}

function wireSession({ id, cluster, resources, startedAt, expiresAt }: WakeSession) {
  return {
    id,
    cluster,
    resources: resources.map((target) => ({ ...target })),
    startedAt: instant(startedAt),
    expiresAt: instant(expiresAt),
  };
}
