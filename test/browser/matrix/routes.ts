import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { workloadAddress, workloadRoute } from '../../../web/app/resources/workload-name.ts';
import { innerPages } from '../../../web/app/shell/inner-pages.ts';
import { pages } from '../../../web/app/shell/pages.ts';
import { transitionAddress, transitionRoute } from '../../../web/app/wake/address.ts';
import { shownWorkload } from '../../../web/fixtures/answers.ts';

/** What is looked for on a page; a page of the app without a row here fails. */
export interface MatrixRow {
  /** An address of a route with parameters. */
  readonly at?: string;
  /** The heading, where it is not the title in the menu. */
  readonly heading?: string;
  /** The heading until there is an answer, where that is another one. */
  readonly before?: string;
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
  [workloadRoute]: {
    says: 'Container main waits: ImagePullBackOff',
    empty: 'No wake and no hibernation is in the log',
  },
  '/tonight': { says: 'No start-up probe', empty: 'Nothing to warn about' },
  '/calendar': { says: 'November 2026', empty: 'You have made no address yet' },
  '/insights': { says: '10 of 12 planned', empty: 'config.awsCosts.enabled is false.' },
  '/activity': { says: 'Wake Complete - 1 workload failed', empty: 'Nothing fits' },
  '/activity/:id': {
    at: '/activity/wake-1-ended',
    heading: 'Activity',
    says: 'Still starting at the end',
    empty: 'There is no such entry',
    admin: true,
  },
  [transitionRoute]: {
    at: transitionAddress('wake-1-ended'),
    heading: 'Wake Complete - 1 workload failed',
    before: 'Past transition',
    says: '140 of the 142 that it waited for',
    empty: 'There is no such transition',
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
  /** While there is no answer. */
  readonly before: string;
  readonly admin: boolean;
  /** In the menu or of the kind of page: what is known before its code is there. */
  readonly title: string;
}

/** Every route of the app: the pages of the menu, those behind them, and what the frame has besides. */
export function appRoutes(): readonly string[] {
  const frame = readFileSync(fileURLToPath(new URL('../../../web/app/shell/shell.tsx', import.meta.url)), 'utf8');
  const literal = [...frame.matchAll(/<Route\s+path="([^"]+)"/g)].map(([, path]) => path as string);
  return [...new Set([...pages, ...innerPages].map(({ path }) => path).concat(literal))];
}

/** `workload`: the name of the workload that has a page. */
export function matrixRoutes(workload = shownWorkload.name): readonly MatrixRoute[] {
  return appRoutes().flatMap((path) => {
    const row = rows[path];
    const page = pages.find((one) => one.path === path);
    const inner = innerPages.find((one) => one.path === path);
    if (row === undefined) return [];
    const title = (page ?? inner)?.title ?? row.heading ?? '';
    const heading = path === workloadRoute ? `${shownWorkload.namespace}/${workload}` : (row.heading ?? title);
    return [
      {
        ...row,
        path,
        at: path === workloadRoute ? workloadAddress({ ...shownWorkload, name: workload }) : (row.at ?? path),
        heading,
        before: row.before ?? heading,
        admin: row.admin ?? (page ?? inner)?.admin ?? false,
        title,
      },
    ];
  });
}
