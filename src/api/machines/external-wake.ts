import { durationMs, parseDuration } from '../../domain/duration.ts';
import { matchesGlob } from '../../domain/targeting/glob.ts';
import { compileSelector, workloadKindOf } from '../../domain/targeting/workload-selector.ts';
import { type ExternalWakeSession, externalWakeSessions, type WakeTarget } from '../../state/external-wake-sessions.ts';
import { ignoredResources } from '../../state/ignored-resources.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { set } from '../../state/snapshot.ts';
import { wakeOverride } from '../../state/wake-override.ts';
import { announced } from '../acts/announce.ts';
import type { ApiPorts } from '../ports.ts';
import { invalid, Refusal } from '../refusal.ts';
import type { Handlers } from '../server/call.ts';
import { WindowLimit } from '../sign-in/window-limit.ts';
import type { Intents } from '../state/intents.ts';
import { degrade, type ManagedState, need, readOr503 } from '../state/managed-state.ts';
import { off } from '../status/routes.ts';
import { instant } from '../status/wire.ts';

type ExternalWakeHandlers = Pick<Handlers, 'externalWake' | 'endExternalWake' | 'externalWakeSessions'>;

/** Sessions that other clusters hold here. A stand-down does not refuse them: nothing is down then. */
export function externalWakeHandlers(ports: ApiPorts, state: ManagedState, intents: Intents): ExternalWakeHandlers {
  const { clock, random } = ports;
  let started: { readonly perHour: number; readonly limit: WindowLimit } | undefined;
  const perHour = () => {
    const { maxWakesPerHour } = ports.config().externalWake.quotas;
    if (started?.perHour !== maxWakesPerHour) {
      started = { perHour: maxWakesPerHour, limit: new WindowLimit(clock, maxWakesPerHour, 3_600_000) };
    }
    return started.limit;
  };
  return {
    async externalWake(call) {
      const cluster = callingCluster(ports, call.cluster);
      const resources = (call.body?.resources ?? []) as readonly WakeTarget[];
      checkTargets(ports, cluster, resources);
      const { quotas } = ports.config().externalWake;
      const longestMs = durationMs(quotas.maxWakeDuration);
      const lasts = Math.min(askedFor(call.body?.duration) ?? longestMs, longestMs);
      const id = `${cluster}-${Buffer.from(random.bytes(9)).toString('base64url')}`;
      const answer = await intents.write((snapshot) => {
        need(snapshot, resourceStates);
        need(snapshot, wakeOverride);
        if (resources.length > 0) need(snapshot, ignoredResources);
        const now = clock.now();
        const live = need(snapshot, externalWakeSessions).filter(({ expiresAt }) => expiresAt > now);
        const held = live.find((one) => one.cluster === cluster && sameTargets(one.resources, resources));
        if (held === undefined && live.length >= quotas.maxConcurrentWakes) throw tooMany('maxConcurrentWakes');
        const waitMs = held === undefined ? perHour().wait(cluster) : 0;
        if (waitMs > 0) throw tooMany('maxWakesPerHour', Math.ceil(waitMs / 1000));
        const session: ExternalWakeSession =
          held === undefined
            ? { id, cluster, resources, startedAt: now, expiresAt: now + lasts }
            : { ...held, expiresAt: now + lasts };
        const kind = held === undefined ? 'external-wake-started' : 'external-wake-renewed';
        const title = held === undefined ? 'External Wake Started' : 'External Wake Renewed';
        const key = held === undefined ? 'externalWakeStarted' : 'externalWakeRenewed';
        const entryId = `${kind}-${session.id}-${now}`;
        const audit = { id: entryId, at: now, kind, actor: cluster, details: { session: session.id } } as const;
        const notice = {
          id: entryId,
          key,
          at: now,
          title,
          colour: 'blue',
          facts: [{ name: 'Cluster', value: cluster }],
        } as const;
        return {
          edits: [
            set(externalWakeSessions, [...live.filter((one) => one !== held), session]),
            announced(snapshot, audit, notice),
          ],
          answer: { session: wireSession(session), renewed: held !== undefined },
        };
      });
      if (!answer.renewed) perHour().take(cluster);
      return answer;
    },

    async endExternalWake(call) {
      const cluster = callingCluster(ports, call.cluster);
      return intents.write((snapshot) => {
        const sessions = need(snapshot, externalWakeSessions);
        const left = sessions.filter((one) => one.cluster !== cluster);
        const ended = sessions.length - left.length;
        const at = clock.now();
        const audit = {
          id: `external-wake-ended-${cluster}-${at}`,
          at,
          kind: 'external-wake-ended',
          actor: cluster,
        } as const;
        return {
          edits: ended === 0 ? [] : [set(externalWakeSessions, left), announced(snapshot, audit)],
          answer: { ended },
        };
      });
    },

    async externalWakeSessions() {
      const { snapshot } = await readOr503(state);
      const { enabled, quotas } = ports.config().externalWake;
      const sessions = degrade(snapshot, externalWakeSessions, ports.logger, 'debug');
      const live = sessions.filter(({ expiresAt }) => expiresAt > clock.now());
      return { enabled, items: live.map(wireSession), quotas: { ...quotas } };
    },
  };
}

function callingCluster(ports: ApiPorts, cluster: string | undefined): string {
  if (!ports.config().externalWake.enabled) throw off('config.externalWake.enabled');
  if (cluster === undefined) throw new Refusal('signature_invalid');
  return cluster;
}

/** Only what the configuration lets this cluster name, and never an excluded namespace. */
function checkTargets(ports: ApiPorts, cluster: string, resources: readonly WakeTarget[]): void {
  const { clusters, excludedNamespaces } = ports.config().externalWake;
  const entry = clusters.find(({ name }) => name === cluster);
  const permitted = entry?.resources ?? [];
  if (resources.length === 0 && permitted.length > 0) {
    throw invalid('resources', 'must be named: this cluster may not wake the whole cluster');
  }
  for (const [index, target] of resources.entries()) {
    const field = `resources[${index}]`;
    if (target.type !== undefined && workloadKindOf(target.type) === undefined) {
      throw invalid(`${field}.type`, 'must be Deployment, StatefulSet or CronJob');
    }
    for (const part of ['namespace', 'name'] as const) {
      if (target[part] === '') throw invalid(`${field}.${part}`, 'is empty');
    }
    if (excludedNamespaces.some((pattern) => matchesGlob(pattern, target.namespace))) {
      throw new Refusal('forbidden', `Namespace ${target.namespace} is never woken by another cluster.`);
    }
    if (permitted.length > 0 && !permitted.some((rule) => covers(rule, target))) {
      throw new Refusal('forbidden', `${field} is not among the resources that ${cluster} may wake.`);
    }
  }
}

/** A rule that names more than the target does covers less than it. */
function covers(rule: WakeTarget, target: WakeTarget): boolean {
  if (rule.name !== undefined && target.name === undefined) return false;
  if (rule.type !== undefined && target.type === undefined) return false;
  const kind = target.type === undefined ? undefined : workloadKindOf(target.type);
  const matches = compileSelector({ ...rule });
  return matches({ kind: kind ?? 'Deployment', namespace: target.namespace, name: target.name ?? '' });
}

function sameTargets(a: readonly WakeTarget[], b: readonly WakeTarget[]): boolean {
  const text = (targets: readonly WakeTarget[]) =>
    targets
      .map(({ namespace, type, name }) => `${namespace} ${type ?? ''} ${name ?? ''}`)
      .toSorted()
      .join('\n');
  return text(a) === text(b);
}

function askedFor(duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined;
  const parsed = parseDuration(duration);
  if (!parsed.ok) throw invalid('duration', parsed.error);
  if (parsed.ms <= 0) throw invalid('duration', 'must be longer than 0s');
  return parsed.ms;
}

function tooMany(quota: string, retryAfterSeconds?: number): Refusal {
  const more = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new Refusal('quota_exceeded', `config.externalWake.quotas.${quota} is reached.`, {
    details: { quota },
    ...more,
  });
}

function wireSession({ id, cluster, resources, startedAt, expiresAt }: ExternalWakeSession) {
  return {
    id,
    cluster,
    resources: resources.map((target) => ({ ...target })),
    startedAt: instant(startedAt),
    expiresAt: instant(expiresAt),
  };
}
