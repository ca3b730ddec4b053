/**
 * Of Node, for a process that plays lives: nearly all that one makes is garbage a moment later, and a process that plays some fifty of them
 * spends the first thirty on code that is still interpreted. On two cores these take a third off those.
 */
export const playerFlags: readonly string[] = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=128',
  '--single-threaded-gc',
  '--always-sparkplug',
];
