// How our processes start, so that each fits a container of 128 MiB. One place: images, chart, tests and benchmarks read it.

/**
 * V8 would size its heap by the machine; the small semi-space is what keeps the resident memory down. One optimising compiler
 * is enough: the second one takes six megabytes and gains a controller no time.
 */
export const nodeFlags: readonly string[] = [
  '--max-semi-space-size=1',
  '--max-old-space-size=56',
  '--optimize-for-size',
  '--no-turbofan',
];

/**
 * A satellite stands for one service in 64 MiB and says one page: its heap needs little room, and one optimising compiler,
 * on the main thread, is enough. The second one and its threads would take five megabytes.
 */
export const satelliteNodeFlags: readonly string[] = [
  '--max-semi-space-size=1',
  '--max-old-space-size=24',
  '--optimize-for-size',
  '--no-maglev',
  '--no-concurrent-recompilation',
];

/** glibc's: one arena, and freed memory goes back to the kernel early. */
export const nodeEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
};
