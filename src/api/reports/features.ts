import type { AnswerOf } from '../../contract/operations.ts';
import { isOff, type Off } from '../../ports/off.ts';

type Report = AnswerOf<'insights'>;

/** The report of a feature; one that is off answers why, not with made-up figures. */
export async function reportOf(feature: (() => Promise<Report>) | Off): Promise<Report> {
  return isOff(feature) ? { enabled: true, available: false, message: feature.off, report: null } : feature();
}

/** The contract leaves the report open: it is the feature's own. */
export function asAnswer<Reading extends { readonly report: object | null }>(
  reading: Reading,
): Omit<Reading, 'report'> & { report: Record<string, unknown> | null } {
  return { ...reading, report: reading.report as Record<string, unknown> | null };
}
