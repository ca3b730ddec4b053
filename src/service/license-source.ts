import type { ConfigMapWatch } from '../adapters/cluster/config-map-watch.ts';
import type { LicenseAuthority, LicenseSource } from '../domain/license/check.ts';
import { communityLicense, communityPublicKey } from '../domain/license/community.ts';
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

/** An absent ConfigMap is no license; one that cannot be read leaves open whether there is one. */
export function licenseSource(watch: ConfigMapWatch): LicenseSource | null {
  if (!watch.synced) return null;
  const text = watch.current()?.data['license'];
  if (text !== undefined) return { found: 'text', text };
  return watch.error === undefined ? { found: 'nothing' } : { found: 'unreadable', message: String(watch.error) };
}
