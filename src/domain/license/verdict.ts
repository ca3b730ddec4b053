/** From the one that lets the service act to the one that surely does not. */
export const verdicts = ['licensed', 'unverified', 'check_failed', 'unlicensed'] as const;

export type Verdict = (typeof verdicts)[number];
