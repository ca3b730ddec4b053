import { type LicenseBookkeeping, noLicenseChecks } from '../domain/license/bookkeeping.ts';
import { codec } from './codec.ts';
import { instantText, object, optional, optionalInstant } from './shape.ts';

/** Removing this key makes the service forget the latest time it saw: the way out after a clock ran far ahead. */
export const licenseCheck = codec<LicenseBookkeeping>({
  key: 'license_check',
  empty: noLicenseChecks,
  blankIsEmpty: true,
  read(json) {
    const fields = object(json, '');
    return {
      ...optional('lastLicensedAt', optionalInstant(fields, 'lastLicensedAt', '')),
      ...optional('latestSeenAt', optionalInstant(fields, 'latestSeenAt', '')),
    };
  },
  write({ lastLicensedAt, latestSeenAt }) {
    if (lastLicensedAt === undefined && latestSeenAt === undefined) return undefined;
    return JSON.stringify({
      ...optional('lastLicensedAt', lastLicensedAt === undefined ? undefined : instantText(lastLicensedAt)),
      ...optional('latestSeenAt', latestSeenAt === undefined ? undefined : instantText(latestSeenAt)),
    });
  },
});
