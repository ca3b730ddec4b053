const storage: Readonly<Record<string, string>> = {
  Deployment: 'deployments.apps',
  StatefulSet: 'statefulsets.apps',
  CronJob: 'cronjobs.batch',
  Rollout: 'rollouts.argoproj.io',
};

/** Where the store keeps the workloads that neighbours write. */
export function storageOf(kind: string): string {
  const found = storage[kind];
  if (found === undefined)
    throw new Error(`A neighbour writes no ${kind}; it writes ${Object.keys(storage).join(', ')}.`);
  return found;
}
