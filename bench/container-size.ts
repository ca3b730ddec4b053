/** What docs/sizes.md gives the controller's container: up to so many workloads, so many MiB. */
const sizes: readonly (readonly [workloads: number, mebibytes: number])[] = [
  [5_000, 128],
  [10_000, 256],
  [50_000, 768],
];

export function containerFor(workloads: number): number {
  return sizes.find(([most]) => workloads <= most)?.[1] ?? sizes.at(-1)![1];
}
