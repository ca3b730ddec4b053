import type { AnswerOf } from '../../contract/operations.ts';
import type { Handlers } from '../call/call.ts';
import type { ApiPorts } from '../call/ports.ts';
import { Refusal } from '../call/refusal.ts';
import type { Outlook, Outlooks } from '../outlook/outlook.ts';
import { instant, wireOverride, wireTransition } from '../outlook/wire.ts';
import { reportOf } from '../reports/features.ts';
import { inPlainWords, type ManagedState, readOr503 } from '../state/managed-state.ts';
import type { StreamHub } from '../stream/hub.ts';
import { dashboardStatus } from './dashboard.ts';
import { hibernationStatus, publicHibernationStatus } from './status.ts';

type StatusHandlers = Pick<
  Handlers,
  | 'hibernationStatus'
  | 'publicHibernationStatus'
  | 'dashboardStatus'
  | 'dashboardCosts'
  | 'dashboardInsights'
  | 'wakeStatus'
>;

export function statusHandlers(
  ports: ApiPorts,
  state: ManagedState,
  outlooks: Outlooks,
  hub: StreamHub,
): StatusHandlers {
  const look = async () => {
    const { snapshot } = await readOr503(state);
    return { snapshot, outlook: outlooks.of(snapshot) };
  };
  /** A stranger costs no read of the cluster. */
  const lookInPublic = () => {
    try {
      const { snapshot } = state.kept();
      return { snapshot, outlook: outlooks.of(snapshot) };
    } catch (error) {
      throw inPlainWords(error);
    }
  };
  const needDashboard = () => {
    if (!ports.config().dashboardApi.enabled) throw off('config.dashboardApi.enabled');
  };
  const answers = new WeakMap<Outlook, AnswerOf<'hibernationStatus'>>();
  return {
    async hibernationStatus() {
      const { outlook } = await look();
      const answer = answers.get(outlook) ?? { now: instant(outlook.now), ...hibernationStatus(outlook) };
      answers.set(outlook, answer);
      return answer;
    },
    async publicHibernationStatus() {
      const { outlook } = lookInPublic();
      return {
        now: instant(outlook.now),
        ...publicHibernationStatus(outlook, countsOf(progressOf(hub, outlook))),
      };
    },
    async dashboardStatus() {
      needDashboard();
      const { outlook, snapshot } = lookInPublic();
      return dashboardStatus(outlook, snapshot, ports.logger);
    },
    async dashboardCosts() {
      needDashboard();
      if (!ports.config().awsCosts.enabled) throw off('config.awsCosts.enabled');
      return reportOf(ports.features.costs);
    },
    async dashboardInsights() {
      needDashboard();
      if (!ports.config().insights.enabled) throw off('config.insights.enabled');
      return reportOf(ports.features.insights);
    },
    async wakeStatus() {
      const { outlook } = await look();
      const { transition, override, now } = outlook;
      return {
        waking: outlook.state === 'waking',
        transition: wireTransition(transition),
        wakeOverride: override === null || override.until <= now ? null : wireOverride(override),
        // As the controller sent it; nobody else may send frames.
        progress: progressOf(hub, outlook) as AnswerOf<'wakeStatus'>['progress'],
      };
    },
  };
}

export function off(key: string): Refusal {
  return new Refusal('feature_disabled', `This is off: ${key} is false.`, { details: { key } });
}

type Progress = Readonly<Record<string, unknown>>;

/** What the controller last told of the transition that runs; a frame of an earlier one is no progress of this. */
function progressOf(hub: StreamHub, { transition }: Outlook): Progress | null {
  const last = hub.last('transition');
  if (last === undefined || transition === null) return null;
  const frame = record(JSON.parse(last));
  return record(frame?.['progress'])?.['id'] === transition.id ? (frame ?? null) : null;
}

function countsOf(frame: Progress | null): { readonly up: number; readonly total: number } | undefined {
  const { up, total } = record(frame?.['progress']) ?? {};
  const counts = [up, total].every((count) => Number.isSafeInteger(count) && (count as number) >= 0);
  return counts ? { up: up as number, total: total as number } : undefined;
}

function record(value: unknown): Progress | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Progress) : undefined;
}
