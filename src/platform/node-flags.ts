import { getHeapStatistics, setFlagsFromString } from 'node:v8';

// How our processes start, so that each fits a container of 128 MiB and a larger one is of use. One place: images, chart,
// tests and benchmarks read it.

/** What the chart gives the controller, the API and the frontend; a satellite gets half of it. */
export const containerMebibytes = 128;
export const satelliteMebibytes = 64;

const heapShare = '--max-old-space-size-percentage=';

/**
 * V8 would size its heap by the machine; the small semi-space is what keeps the resident memory down. Of the container's limit
 * 44 % are heap, 56 MiB of 128: buffers and the mapped binary need the rest. One optimising compiler is enough: the second
 * one takes six megabytes and gains a controller no time.
 */
export const nodeFlags: readonly string[] = [
  '--max-semi-space-size=1',
  `${heapShare}44`,
  '--optimize-for-size',
  '--no-turbofan',
];

/**
 * A satellite stands for one service in 64 MiB and says one page: its heap needs little room, and one optimising compiler,
 * on the main thread, is enough. The second one and its threads would take five megabytes.
 */
export const satelliteNodeFlags: readonly string[] = [
  '--max-semi-space-size=1',
  `${heapShare}37.5`,
  '--optimize-for-size',
  '--no-maglev',
  '--no-concurrent-recompilation',
];

/** The same start as in a container of that limit, for a process that runs in none: Node would take its share of the machine. */
export function asInContainer(command: readonly string[], mebibytes: number): readonly string[] {
  return command.map((word) =>
    word.startsWith(heapShare)
      ? `--max-old-space-size=${Math.floor((mebibytes * Number(word.slice(heapShare.length))) / 100)}`
      : word,
  );
}

/** The heap of a container of some 230 MiB: from there on it is time that is short, not memory. */
const roomyBytes = 100 * 1024 * 1024;
/** V8 reads it at each collection; the small young generation that the flag implied at the start stays. */
export const inRoom = '--no-optimize-for-size';

/**
 * `--optimize-for-size` lets the heap grow by a third between two collections of all that lives. That is what fits 5,000 workloads into 128
 * MiB, and what has 50,000 collected hundreds of times on their way. An image has the same flags in every container, so the process looks.
 */
export function takeRoom(): void {
  if (isRoomy(getHeapStatistics().heap_size_limit)) setFlagsFromString(inRoom);
}

export function isRoomy(heapBytes: number): boolean {
  return heapBytes >= roomyBytes;
}

/** glibc's: one arena, and freed memory goes back to the kernel early. */
export const nodeEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
};
