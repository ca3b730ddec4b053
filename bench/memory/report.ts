/** What the measured process has in its cache; `changes` when it counts them. */
export interface Seen {
  readonly deployments: number;
  readonly pods: number;
  readonly changes?: number;
}

/** Prints on SIGTERM, as its last line, what the process has seen and what that took. */
export function reportAtTheEnd(seen: () => Seen): void {
  process.on('SIGTERM', () => {
    const heapMiB = Math.round(process.memoryUsage().heapUsed / 2 ** 20);
    const { user, system } = process.cpuUsage();
    const report = { ...seen(), heapMiB, cpuSeconds: Math.round((user + system) / 1e5) / 10 };
    process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));
  });
}
