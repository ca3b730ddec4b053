import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pages } from '../../../web/app/shell/pages.ts';

/** What is looked for on a page; a page of the app without a row here fails. */
export interface MatrixRow {
  /** An address of a route with parameters. */
  readonly at?: string;
  /** The heading, where it is not the title in the menu. */
  readonly heading?: string;
  /** With answers, and with none. */
  readonly says: string;
  readonly empty: string;
  /** For admins only, where the page in the menu does not say so. */
  readonly admin?: boolean;
}

export const rows: Readonly<Record<string, MatrixRow>> = {
  '/': { says: 'Awake until 20:00 (Europe/Berlin)', empty: 'Nothing has happened yet' },
  '/control': { says: 'Trigger Manual Hibernation', empty: 'Trigger Manual Hibernation' },
  '/wake': { says: 'was still Unschedulable after 15 minutes', empty: 'Nothing is moving' },
  '/resources': { says: 'workloads of', empty: 'The cluster has no workloads' },
  '/tonight': { says: 'No start-up probe', empty: 'Nothing to warn about' },
  '/calendar': { says: 'November 2026', empty: 'You have made no address yet' },
  '/insights': { says: 'config.insights.enabled is false.', empty: 'config.awsCosts.enabled is false.' },
  '/activity': { says: 'Wake Complete - 1 workload failed', empty: 'Nothing fits' },
  '/activity/:id': {
    at: '/activity/wake-1-ended',
    heading: 'Activity',
    says: 'Still starting at the end',
    empty: 'There is no such entry',
    admin: true,
  },
  '/external-wake': { says: 'the whole cluster', empty: 'No cluster keeps this one awake' },
  '/databases': { says: 'stopped (stopped by the service)', empty: 'No databases are configured' },
  '/notifications': { says: 'connection refused', empty: 'Nothing has been sent yet' },
  '/license': { says: 'The license is good.', empty: 'Licensed' },
  '/settings': { says: 'Changed (', empty: 'There are no settings' },
  '/account': { says: 'ada@example.com', empty: 'You have no passkey' },
};

export interface MatrixRoute extends MatrixRow {
  readonly path: string;
  readonly at: string;
  readonly heading: string;
  readonly admin: boolean;
}

/** Every route of the app: the pages of the menu, and what the frame has besides. */
export function appRoutes(): readonly string[] {
  const frame = readFileSync(fileURLToPath(new URL('../../../web/app/shell/shell.tsx', import.meta.url)), 'utf8');
  const literal = [...frame.matchAll(/<Route\s+path="([^"]+)"/g)].map(([, path]) => path as string);
  return [...new Set([...pages.map(({ path }) => path), ...literal])];
}

export function matrixRoutes(): readonly MatrixRoute[] {
  return appRoutes().flatMap((path) => {
    const row = rows[path];
    const page = pages.find((one) => one.path === path);
    if (row === undefined) return [];
    const heading = row.heading ?? page?.title ?? '';
    return [{ ...row, path, at: row.at ?? path, heading, admin: row.admin ?? page?.admin ?? false }];
  });
}
