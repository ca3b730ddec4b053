import type { AnswerOf } from '../../contract/operations.ts';
import { readEntries } from '../../domain/audit/stored-entry.ts';
import { pastOf } from '../../domain/audit/workload-past.ts';
import { sleepOrder, wakeOrder } from '../../domain/ordering/order.ts';
import { isScalable, type Workload, workloadKey } from '../../domain/workload.ts';
import type { ContainerFacts, EventFacts, Part, PodFacts } from '../../ports/workload-facts.ts';
import type { CompiledConfig } from '../../service/compiled-config.ts';
import type { ApiPorts } from '../call/ports.ts';
import type { Outlook } from '../outlook/outlook.ts';
import { instant, instantField } from '../outlook/wire.ts';
import type { ListedWorkload } from '../outlook/workloads-snapshot.ts';
import { wireResource } from './listing.ts';
import { podTrouble } from './pod-trouble.ts';
import { decideRetry } from './retry.ts';
import { whyOf } from './why.ts';

type Answer = AnswerOf<'workload'>;

const shownPast = 20;

/** Everything about one workload. What is read from the cluster now may fail part by part, and the rest stands. */
export async function workloadOf(
  item: ListedWorkload,
  outlook: Outlook,
  { facts, audit }: Pick<ApiPorts, 'facts' | 'audit'>,
): Promise<Answer> {
  const { workload, managed } = item;
  const pods = isScalable(workload) ? await facts.pods(workload) : nothing;
  const names = pods.ok ? pods.items.map(({ name }) => name) : [];
  const [events, past] = await Promise.all([facts.events(workload, names), pastIn(audit, workloadKey(workload))]);
  return {
    ...whyOf(item, outlook),
    resource: managed ? wireResource(item) : null,
    ...(managed ? { tiers: tiersOf(workload, outlook.compiled) } : {}),
    pods: wirePart(pods, wirePod),
    events: wirePart(events, wireEvent),
    past,
    retry: decideRetry(item, outlook),
  };
}

const nothing: Part<never> = { ok: true, items: [], more: false };

function tiersOf(workload: Workload, { config }: CompiledConfig): NonNullable<Answer['tiers']> {
  const [wake] = wakeOrder(config.wakeOrdering, [workload], { databases: [] });
  const [sleep] = sleepOrder(config.hibernateOrdering, [workload], []);
  return { wake: wake?.name ?? '', hibernate: sleep?.name ?? '' };
}

async function pastIn(audit: ApiPorts['audit'], key: string): Promise<Answer['past']> {
  try {
    const past = pastOf(readEntries(await audit.texts()).entries, key, shownPast + 1);
    const items = past.slice(0, shownPast).map(({ entry, kind, verdict, sentence }) => ({
      id: entry.id,
      at: instant(entry.at),
      kind,
      title: entry.title,
      actor: entry.actor,
      ...(entry.durationMs === undefined ? {} : { durationMs: entry.durationMs }),
      verdict,
      ...(sentence === undefined ? {} : { sentence }),
    }));
    return { items, more: past.length > shownPast };
  } catch (error) {
    return { items: [], more: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function wirePart<T, W>(part: Part<T>, wire: (item: T) => W): { items: W[]; more: boolean; problem?: string } {
  return part.ok ? { items: part.items.map(wire), more: part.more } : { items: [], more: false, problem: part.problem };
}

function wirePod(pod: PodFacts): Answer['pods']['items'][number] {
  const { createdAt, containers, conditions, ...rest } = pod;
  const trouble = podTrouble(pod);
  return {
    ...rest,
    createdAt: instant(createdAt),
    ...(trouble === undefined ? {} : { trouble }),
    containers: containers.map(wireContainer),
    conditions: conditions.map(({ since, ...condition }) => ({ ...condition, ...instantField('since', since) })),
  };
}

function wireContainer({ at, last, ...rest }: ContainerFacts) {
  if (last === undefined) return { ...rest, ...instantField('at', at) };
  const { at: endedAt, ...ended } = last;
  return { ...rest, ...instantField('at', at), last: { ...ended, ...instantField('at', endedAt) } };
}

function wireEvent({ at, ...event }: EventFacts): Answer['events']['items'][number] {
  return { ...event, at: instant(at) };
}
