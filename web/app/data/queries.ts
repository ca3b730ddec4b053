import { type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { use } from 'react';
import { type AnswerOf, ApiError } from '../../../src/contract/contract.ts';
import { useClient, useUser } from '../session/session-context.tsx';
import { keys } from './keys.ts';
import { LiveContext } from './live.ts';
import { findEntry, readNewest } from './log.ts';
import { serverClock } from './now.ts';
import { AnswerTooOld, type Freshness, pollMs } from './polling.ts';
import { followed, readTransition, type ShownTransition } from './transition.ts';
import { readTurns } from './turns.ts';
import { useFreshness } from './use-freshness.ts';

export type Status = AnswerOf<'hibernationStatus'>;
export type Schedule = AnswerOf<'schedule'>;
export type Resource = AnswerOf<'resources'>['items'][number];
export type Ignored = AnswerOf<'ignoredResources'>['items'][number];
export type DatabaseRow = AnswerOf<'databases'>['items'][number];
export type SatelliteRow = AnswerOf<'satellites'>['items'][number];
export type AuditEntry = AnswerOf<'audit'>['entries'][number];
export type Read<T> = UseQueryResult<T, Error>;

/** A read of something that changes by itself. */
export type Polled<T> = Read<T> & { readonly freshness: Freshness };

const pageSize = 1000;

/**
 * Asks again and again. While no answer comes, the last one is kept and called late, and after a minute it is an error:
 * what cannot be vouched for is not shown as what is. An error of the API replaces it at once.
 */
function usePolled<T>(options: UseQueryOptions<T, Error>): Polled<T> {
  const read = useQuery({ refetchInterval: pollMs, ...options });
  return useAged(read, read.dataUpdatedAt);
}

function useAged<T>(read: Read<T>, heardAt: number): Polled<T> {
  const age = useFreshness(heardAt);
  const { data, error } = read;
  if (data === undefined || error instanceof ApiError) return Object.assign({}, read, { freshness: age });
  const freshness = age === 'fresh' && error !== null ? 'late' : age;
  return { ...read, freshness, error: freshness === 'lost' ? new AnswerTooOld() : null } as Polled<T>;
}

/**
 * Asks again as often. What tells of the past, or changes by hand only, is worth reading when it is old: while no answer
 * comes, the last one stays, and its page says how old it is.
 */
function useLasting<T>(options: UseQueryOptions<T, Error>): Polled<T> {
  const read = usePolled(options);
  return read.error instanceof AnswerTooOld ? (Object.assign({}, read, { error: null }) as Polled<T>) : read;
}

export function useStatus(): Polled<Status> {
  const client = useClient();
  return usePolled({
    queryKey: keys.status,
    queryFn: ({ signal }) => client.hibernationStatus({ signal }),
    // The title of a tab tells the state too, while another is in front.
    refetchIntervalInBackground: true,
  });
}

export function usePublicStatus(): Polled<AnswerOf<'publicHibernationStatus'>> {
  const client = useClient();
  return usePolled({
    queryKey: keys.publicStatus,
    queryFn: ({ signal }) => client.publicHibernationStatus({ signal }),
    refetchInterval: 5_000,
  });
}

/** `heardAt`: when it was last known to be so, by an answer or by a stream that had nothing new. */
type Transition = Polled<ShownTransition | null> & { readonly heardAt: number };

/** The wake or hibernation that runs, or the last one that this server told of. */
export function useTransition(): Transition {
  const client = useClient();
  const cache = useQueryClient();
  const user = useUser();
  const live = use(LiveContext);
  const read = useQuery({
    queryKey: keys.transition,
    queryFn: async ({ signal }) => {
      const frame = readTransition((await client.wakeStatus({ signal })).progress);
      return frame === undefined ? null : followed(cache.getQueryData(keys.transition), frame);
    },
    enabled: user?.admin === true,
    // The stream brings every change; asking is for the start, and for while there is no stream.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: live.connected ? false : pollMs,
  });
  const heardAt = Math.max(read.dataUpdatedAt, live.lostAt);
  const aged = useAged<ShownTransition | null>(read, live.connected ? 0 : heardAt);
  // What a stream that is back vouches for is no longer what could not be asked for.
  const vouched = live.connected && read.data !== undefined;
  return Object.assign({}, aged, { heardAt }, vouched ? { error: null, freshness: 'fresh' } : {}) as Transition;
}

/** For people of the company; nobody else's browser asks. */
export function useSchedule(days: number): Polled<Schedule> {
  const client = useClient();
  const user = useUser();
  return usePolled({
    queryKey: keys.schedule(days),
    queryFn: async ({ signal }) => {
      const schedule = await client.schedule({ query: { days }, signal });
      serverClock.heard(Date.parse(schedule.plan.from));
      return schedule;
    },
    enabled: user?.member === true,
  });
}

/** Every managed workload, page after page. */
export function useResources(enabled = true): Polled<readonly Resource[]> {
  const client = useClient();
  return usePolled({
    queryKey: keys.resources,
    queryFn: ({ signal }) => allPages((query) => client.resources({ query, signal })),
    enabled,
  });
}

export function useIgnored(): Polled<readonly Ignored[]> {
  const client = useClient();
  return usePolled({
    queryKey: keys.ignored,
    queryFn: ({ signal }) => allPages((query) => client.ignoredResources({ query, signal })),
  });
}

export type WorkloadAnswer = AnswerOf<'workload'>;

export function useWorkload({
  kind,
  namespace,
  name,
}: Readonly<Record<'kind' | 'namespace' | 'name', string>>): Polled<WorkloadAnswer> {
  const client = useClient();
  return usePolled({
    queryKey: keys.workload(`${kind}/${namespace}/${name}`),
    queryFn: ({ signal }) => client.workload({ params: { kind, namespace, name }, signal }),
  });
}

export function usePreview(): Polled<AnswerOf<'preview'>> {
  const client = useClient();
  return usePolled({ queryKey: keys.preview, queryFn: ({ signal }) => client.preview({ signal }) });
}

export type AuditFilter = Readonly<Record<string, string>>;
const everything: AuditFilter = {};

export function useAudit(filter: AuditFilter, enabled = true): Polled<AnswerOf<'audit'>> {
  const client = useClient();
  return usePolled({
    queryKey: keys.audit(filter),
    queryFn: ({ signal }) => client.audit({ query: filter, signal }),
    enabled,
  });
}

/** The newest so many that fit; asked again, as many. */
export function useNewestAudit(filter: AuditFilter, count: number): Polled<AnswerOf<'audit'>> {
  const read = useReadAudit(filter);
  return usePolled({
    queryKey: keys.audit(filter),
    queryFn: ({ signal }) => readNewest(read(signal), count),
  });
}

/** For `readNewest`: what fits the filter, page by page. */
export function useReadAudit(filter: AuditFilter) {
  const client = useClient();
  return (signal?: AbortSignal) => (page: { readonly limit: number; readonly after?: string }) =>
    client.audit({ query: { ...filter, ...page }, ...(signal === undefined ? {} : { signal }) });
}

export function useAuditEntry(id: string): Polled<AuditEntry | null> {
  const read = useReadAudit(everything);
  return usePolled({ queryKey: keys.audit({ id }), queryFn: ({ signal }) => findEntry(read(signal), id) });
}

/** How the cluster came to be up or down, newest first: at least a week of it, and to the last transition of the whole cluster. */
export function useTurns(enabled = true): Polled<readonly AuditEntry[]> {
  const client = useClient();
  return usePolled({
    queryKey: keys.turns,
    queryFn: ({ signal }) => readTurns((query) => client.audit({ query, signal }), serverClock.now()),
    enabled,
  });
}

export function useCalendarFeeds(): Read<AnswerOf<'calendarFeeds'>> {
  const client = useClient();
  return useQuery({ queryKey: keys.calendarFeeds, queryFn: ({ signal }) => client.calendarFeeds({ signal }) });
}

export function useSettings(enabled = true): Polled<AnswerOf<'settings'>> {
  const client = useClient();
  return useLasting({ queryKey: keys.settings, queryFn: ({ signal }) => client.settings({ signal }), enabled });
}

export function useLicense(): Polled<AnswerOf<'license'>> {
  const client = useClient();
  return usePolled({
    queryKey: keys.license,
    queryFn: ({ signal }) => client.license({ signal }),
  });
}

export function useInsights(): Polled<AnswerOf<'insights'>> {
  const client = useClient();
  return useLasting({ queryKey: keys.insights, queryFn: ({ signal }) => client.insights({ signal }) });
}

export function useFleet(): Polled<AnswerOf<'fleet'>> {
  const client = useClient();
  return usePolled({ queryKey: keys.fleet, queryFn: ({ signal }) => client.fleet({ signal }) });
}

export function useCosts(): Polled<AnswerOf<'costs'>> {
  const client = useClient();
  return useLasting({ queryKey: keys.costs, queryFn: ({ signal }) => client.costs({ signal }) });
}

export function useDeliveries(): Polled<AnswerOf<'notificationDeliveries'>> {
  const client = useClient();
  return usePolled({
    queryKey: keys.deliveries,
    queryFn: ({ signal }) => client.notificationDeliveries({ signal }),
  });
}

export function useWakeSessions(): Polled<AnswerOf<'externalWakeSessions'>> {
  const client = useClient();
  return usePolled({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => client.externalWakeSessions({ signal }),
  });
}

export function usePasskeys(): Read<AnswerOf<'passkeys'>> {
  const client = useClient();
  return useQuery({ queryKey: keys.passkeys, queryFn: ({ signal }) => client.passkeys({ signal }) });
}

export function useBranding(): Read<AnswerOf<'branding'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.branding,
    queryFn: ({ signal }) => client.branding({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useDatabases(): Polled<AnswerOf<'databases'>> {
  const client = useClient();
  return usePolled({
    queryKey: keys.databases,
    queryFn: ({ signal }) => client.databases({ signal }),
  });
}

export function useSatellites(): Polled<AnswerOf<'satellites'>> {
  const client = useClient();
  return usePolled({
    queryKey: keys.satellites,
    queryFn: ({ signal }) => client.satellites({ signal }),
  });
}

/** The zone of the schedule, beside every time; UTC until the status is here. */
export function useZone(): string {
  return useStatus().data?.timezone ?? 'UTC';
}

interface Page<T> {
  readonly items: readonly T[];
  readonly next?: number;
}

async function allPages<T>(
  read: (query: { readonly limit: number; readonly offset: number }) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const items: T[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: Page<T> = await read({ limit: pageSize, offset });
    items.push(...page.items);
    offset = page.next;
  }
  return items;
}
