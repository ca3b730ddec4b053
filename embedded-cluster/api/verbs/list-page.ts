import type { KubeObject } from '../../object-store.ts';

/** One page: the objects, the version they were all read at, and how to go on. */
export interface Page {
  readonly objects: readonly KubeObject[];
  readonly version: number;
  readonly continueToken?: string;
  readonly remaining?: number;
}

export function listMetadata(page: Page, custom = false): string {
  return JSON.stringify({
    resourceVersion: String(page.version),
    // A list of custom resources has the field even when there is nothing to continue with.
    ...(page.continueToken === undefined ? (custom ? { continue: '' } : {}) : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  });
}
