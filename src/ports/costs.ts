import type { CostReport } from '../domain/cost/report.ts';

/** What the API answers for costs: never a rejection, always a reason where there are no figures. */
export type CostReading =
  | { readonly enabled: boolean; readonly available: true; readonly message?: string; readonly report: CostReport }
  | { readonly enabled: boolean; readonly available: false; readonly message: string; readonly report: null };
