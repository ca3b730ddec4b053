interface Plan {
  readonly reason: string;
  readonly hibernate: readonly { readonly tier: string; readonly workloads: readonly string[] }[];
  readonly wake: readonly string[];
  readonly skipped: readonly unknown[];
}

/** What a dry run decided, in one line for a terminal; the web app and `svc plan` have it in full. */
export function planLine({ reason, hibernate, wake, skipped }: Plan): string {
  const tiers = hibernate.map(({ tier, workloads }) => `${tier} ${workloads.length}`).join(', ');
  const acts = [
    ...(tiers === '' ? [] : [`would take down: ${tiers}`]),
    ...(wake.length === 0 ? [] : [`would wake ${wake.length}`]),
  ];
  return `dry run: ${reason}; ${acts.length === 0 ? 'nothing to do' : acts.join('; ')}; ${skipped.length} left alone`;
}
