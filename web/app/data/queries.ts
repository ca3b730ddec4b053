import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../src/contract/contract.ts';
import { useClient, useUser } from '../session/session-context.tsx';
import { keys } from './keys.ts';
import { serverClock } from './now.ts';
import { readTransition, type ShownTransition } from './transition.ts';

export type Status = AnswerOf<'hibernationStatus'>;
export type Schedule = AnswerOf<'schedule'>;
export type Resource = AnswerOf<'resources'>['items'][number];
export type Ignored = AnswerOf<'ignoredResources'>['items'][number];
export type DatabaseRow = AnswerOf<'databases'>['items'][number];
export type SatelliteRow = AnswerOf<'satellites'>['items'][number];
export type AuditEntry = AnswerOf<'audit'>['entries'][number];
export type Read<T> = UseQueryResult<T, Error>;

/** Every screen that shows a state asks again after this long, and so clears itself. */
export const pollMs = 30_000;
const pageSize = 1000;

export function useStatus(): Read<Status> {
  const client = useClient();
  return useQuery({
    queryKey: keys.status,
    queryFn: ({ signal }) => client.hibernationStatus({ signal }),
    refetchInterval: pollMs,
  });
}

export function usePublicStatus(): Read<AnswerOf<'publicHibernationStatus'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.publicStatus,
    queryFn: ({ signal }) => client.publicHibernationStatus({ signal }),
    refetchInterval: 5_000,
  });
}

/** The wake or hibernation that runs, or the last one that this server told of. */
export function useTransition(): Read<ShownTransition | null> {
  const client = useClient();
  const user = useUser();
  return useQuery({
    queryKey: keys.transition,
    queryFn: async ({ signal }) => {
      const frame = readTransition((await client.wakeStatus({ signal })).progress);
      return frame === undefined ? null : { frame };
    },
    enabled: user?.admin === true,
    // The stream brings every change; asking is only for the start.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useSchedule(days: number): Read<Schedule> {
  const client = useClient();
  return useQuery({
    queryKey: keys.schedule(days),
    queryFn: async ({ signal }) => {
      const schedule = await client.schedule({ query: { days }, signal });
      serverClock.heard(Date.parse(schedule.plan.from));
      return schedule;
    },
    refetchInterval: pollMs,
  });
}

/** Every managed workload, page after page. */
export function useResources(): Read<readonly Resource[]> {
  const client = useClient();
  return useQuery({
    queryKey: keys.resources,
    queryFn: ({ signal }) => allPages((query) => client.resources({ query, signal })),
    refetchInterval: pollMs,
  });
}

export function useIgnored(): Read<readonly Ignored[]> {
  const client = useClient();
  return useQuery({
    queryKey: keys.ignored,
    queryFn: ({ signal }) => allPages((query) => client.ignoredResources({ query, signal })),
    refetchInterval: pollMs,
  });
}

export function useWhy(resource: Pick<Resource, 'kind' | 'namespace' | 'name'>): Read<AnswerOf<'why'>> {
  const client = useClient();
  const { kind, namespace, name } = resource;
  return useQuery({
    queryKey: keys.why(`${kind}/${namespace}/${name}`),
    queryFn: ({ signal }) => client.why({ params: { kind, namespace, name }, signal }),
  });
}

export function usePreview(): Read<AnswerOf<'preview'>> {
  const client = useClient();
  return useQuery({ queryKey: keys.preview, queryFn: ({ signal }) => client.preview({ signal }) });
}

export type AuditFilter = Readonly<Record<string, string>>;

export function useAudit(filter: AuditFilter, enabled = true): Read<AnswerOf<'audit'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.audit(filter),
    queryFn: ({ signal }) => client.audit({ query: filter as never, signal }),
    enabled,
  });
}

export function useSettings(enabled = true): Read<AnswerOf<'settings'>> {
  const client = useClient();
  return useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => client.settings({ signal }), enabled });
}

export function useLicense(): Read<AnswerOf<'license'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.license,
    queryFn: ({ signal }) => client.license({ signal }),
    refetchInterval: pollMs,
  });
}

export function useInsights(): Read<AnswerOf<'insights'>> {
  const client = useClient();
  return useQuery({ queryKey: keys.insights, queryFn: ({ signal }) => client.insights({ signal }) });
}

export function useCosts(): Read<AnswerOf<'costs'>> {
  const client = useClient();
  return useQuery({ queryKey: keys.costs, queryFn: ({ signal }) => client.costs({ signal }) });
}

export function useDeliveries(): Read<AnswerOf<'notificationDeliveries'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.deliveries,
    queryFn: ({ signal }) => client.notificationDeliveries({ signal }),
    refetchInterval: pollMs,
  });
}

export function useWakeSessions(): Read<AnswerOf<'externalWakeSessions'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.sessions,
    queryFn: ({ signal }) => client.externalWakeSessions({ signal }),
    refetchInterval: pollMs,
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

export function useDatabases(): Read<AnswerOf<'databases'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.databases,
    queryFn: ({ signal }) => client.databases({ signal }),
    refetchInterval: pollMs,
  });
}

export function useSatellites(): Read<AnswerOf<'satellites'>> {
  const client = useClient();
  return useQuery({
    queryKey: keys.satellites,
    queryFn: ({ signal }) => client.satellites({ signal }),
    refetchInterval: pollMs,
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
