import { workloadRoute } from '../resources/workload-name.ts';
import { transitionRoute } from '../wake/address.ts';
import type { PageEntry } from './pages.ts';

/** A page behind another one: it has an address and no place in the menu. */
export type InnerPage = Pick<PageEntry, 'path' | 'title' | 'help' | 'admin' | 'component'>;

export const innerPages: readonly InnerPage[] = [
  {
    path: workloadRoute,
    title: 'Workload',
    help: 'verdicts.html',
    component: { load: async () => (await import('../resources/workload-page.tsx')).WorkloadPage },
    admin: true,
  },
  {
    path: transitionRoute,
    title: 'Past transition',
    help: 'verdicts.html',
    component: { load: async () => (await import('../wake/past-transition-page.tsx')).PastTransitionPage },
    admin: true,
  },
];
