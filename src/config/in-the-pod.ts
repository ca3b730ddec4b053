/**
 * Keys that the chart makes pods from, and what of them. The running processes take a change of theirs at once, like any other;
 * what is listed here comes with the pods that the chart then starts anew.
 */
const inThePod: ReadonlyMap<string, string> = new Map([
  ['externalUrl', 'the frontend is started with it'],
  ['internalUrl', 'the frontend is started with it'],
  ['api.shutdownTimeout', 'the pod is given that long to end'],
  ['serviceRedirection.enabled', 'the controller is started with the image of satellites'],
  ['externalDependencies', 'the Secrets that it names are mounted into the pod'],
  ['externalWake.enabled', 'with it Secrets are mounted into the pod'],
  ['externalWake.clusters', 'the Secrets that it names are mounted into the pod'],
  ['notifications.enabled', 'with it Secrets are mounted into the pod'],
  ['notifications.channels.webhook.enabled', 'with it Secrets are mounted into the pod'],
  ['notifications.channels.webhook.webhooks', 'the Secrets that it names are mounted into the pod'],
]);

export const keysInThePod: readonly string[] = [...inThePod.keys()];

/** Why a change of the key restarts pods; undefined for all others. `path` may name a place below the key, and one of a list. */
export function restartsPods(path: string): string | undefined {
  const key = keysInThePod.find((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[`));
  return key === undefined ? undefined : inThePod.get(key);
}
