import { useEffect } from 'react';
import type { Read, Status } from '../data/queries.ts';
import { faviconOf, signOf, titleOf } from './status-sign.ts';

/** The tab says what the page says. */
export function useDocumentStatus({ data, error }: Pick<Read<Status>, 'data' | 'error'>): void {
  const sign = signOf(error === null ? data : undefined);
  const title = titleOf(sign, data?.clusterName);
  useEffect(() => {
    document.title = title;
    document.getElementById('favicon')?.setAttribute('href', faviconOf(sign));
  }, [sign, title]);
}
