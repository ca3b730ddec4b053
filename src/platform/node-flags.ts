// How our processes start, so that each fits a container of 128 MiB. One place: images, chart, tests and benchmarks read it.

/** V8 would size its heap by the machine; the small semi-space is what keeps the resident memory down. */
export const nodeFlags: readonly string[] = [
  '--max-semi-space-size=1',
  '--max-old-space-size=64',
  '--optimize-for-size',
];

/** glibc's: one arena, and freed memory goes back to the kernel early. */
export const nodeEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
};
