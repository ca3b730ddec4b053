import type { ControllerFeatures } from '../../src/controller/main-features.ts';
import type { Databases } from '../../src/ports/databases.ts';
import type { Notifier } from '../../src/ports/notifier.ts';

const quietNotifier: Notifier = { async notify() {}, condition() {} };

/** No cloud: nothing can be read, and nothing is stopped or started. */
export const noDatabases: Databases = {
  read: async () => ({ condition: 'unknown', message: 'there is no cloud in this test' }),
  stop: async () => ({ outcome: 'refused', status: 0, message: 'there is no cloud in this test' }),
  start: async () => ({ outcome: 'refused', status: 0, message: 'there is no cloud in this test' }),
};

/** A controller that scales workloads and nothing else, but for what a test gives it. */
export function workloadsOnly(given: Partial<ControllerFeatures> = {}): () => ControllerFeatures {
  return () => ({
    notifier: quietNotifier,
    databases: noDatabases,
    companions: [],
    hosts: { off: 'this test has no hosting clusters' },
    afterPass: async () => {},
    stop: async () => {},
    ...given,
  });
}
