import type { ConfigMapWatch } from '../adapters/cluster/config-map-watch.ts';
import type { LicenseAuthority, LicenseSource } from '../domain/license/check.ts';
import { communityLicense, communityPublicKey } from '../domain/license/community.ts';
import { configMaps } from '../domain/names.ts';
import { verifyLicenseSignature } from '../platform/license-keys.ts';

/** Where the license text comes from, and who may have signed it. */
export interface LicensePort {
  /** Null until ConfigMap `svc-license` has been looked for. */
  source(): LicenseSource | null;
  readonly authority: LicenseAuthority;
}

/** The key and the license that the release ships. */
export const shippedAuthority: LicenseAuthority = {
  publicKeys: [communityPublicKey],
  builtIn: communityLicense,
  verify: verifyLicenseSignature,
};

/**
 * So long a controller that starts waits for its license before it counts as one that cannot be read: long enough for what passes, since
 * without a good check before that gives everything back, and not for ever, since until then nothing is given back at all.
 */
const licensePatienceMs = 180_000;

/**
 * An absent ConfigMap is no license; one that cannot be read leaves open whether there is one. `waitedMs`: for how long it alone has been
 * waited for, as an apiserver that answers nobody says nothing of it.
 */
export function licenseSource(
  watch: Pick<ConfigMapWatch, 'synced' | 'error' | 'current'>,
  waitedMs: number,
): LicenseSource | null {
  if (!watch.synced) {
    if (waitedMs < licensePatienceMs) return null;
    return { found: 'unreadable', message: String(watch.error ?? `ConfigMap ${configMaps.license} is not answered.`) };
  }
  const text = watch.current()?.data['license'];
  if (text !== undefined) return { found: 'text', text };
  return watch.error === undefined ? { found: 'nothing' } : { found: 'unreadable', message: String(watch.error) };
}
