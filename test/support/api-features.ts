import type { Features, Outbound } from '../../src/api/call/ports.ts';
import type { ApiFeatures } from '../../src/api/main-features.ts';

/** An api without savings, costs, test notifications and other clusters, but for what a test gives it. */
export function onlyFeatures(given: Partial<Features> = {}): () => ApiFeatures {
  const off = { off: 'This test has no such feature.' };
  const features: Features = { insights: off, costs: off, testNotification: off, externalWake: off, ...given };
  return () => ({ features, start() {}, stop() {} });
}

/** Nobody is reached, whatever the name. */
export const nobodyOutside: Outbound = {
  resolve: async (host) => Promise.reject(new Error(`${host} cannot be reached from this test`)),
  get: async ({ url }) => Promise.reject(new Error(`${url.host} cannot be reached from this test`)),
};
