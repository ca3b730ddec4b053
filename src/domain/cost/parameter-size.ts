import type { Notice } from '../notification/notice.ts';
import type { EpochMs } from '../workload.ts';
import { parameterCriticalBytes, parameterLimit, parameterWarningBytes } from './statistics.ts';

export interface ParameterSize {
  readonly parameter: string;
  readonly bytes: number;
}

/** The condition alert for statistics that come close to what a parameter holds, and whether it holds. */
export function parameterSizeNotice(
  size: ParameterSize,
  at: EpochMs,
): { readonly notice: Notice; readonly holds: boolean } {
  const { parameter, bytes } = size;
  const critical = bytes >= parameterCriticalBytes;
  return {
    holds: bytes >= parameterWarningBytes,
    notice: {
      id: 'parameter-store-size',
      key: 'parameterStoreSize',
      at,
      title: critical ? 'Parameter Store Almost Full' : 'Parameter Store Filling Up',
      color: critical ? 'red' : 'amber',
      text: `Parameter ${parameter} holds ${bytes} of ${parameterLimit} bytes; the oldest figures are dropped when it is full.`,
    },
  };
}

/** Names allow letters, digits and `_.-` between slashes; anything else in a cluster's name becomes a hyphen. */
export function statisticsParameter(cluster: string): string {
  const safe = cluster.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^-+|-+$/g, '');
  return `/svc/${safe === '' ? 'cluster' : safe}/statistics`;
}
