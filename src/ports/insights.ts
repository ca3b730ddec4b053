import type { InsightsReport } from '../domain/insight/report.ts';

/** What the API answers for savings: never a rejection, always a reason where there are no figures. */
export type InsightsReading =
  | { readonly enabled: boolean; readonly available: true; readonly message?: string; readonly report: InsightsReport }
  | { readonly enabled: boolean; readonly available: false; readonly message: string; readonly report: null };

/** Dates `YYYY-MM-DD` of the schedule's zone, both included; everything that is kept while absent. */
export interface InsightsRange {
  readonly from?: string;
  readonly to?: string;
}
