/** Keys and cards that have no effect yet, each with the sentence that `tables.test.ts` would fail with. To be emptied. */
export const knownGaps: readonly string[] = [];
