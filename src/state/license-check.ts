import { type LicenseBookkeeping, noLicenseChecks } from '../domain/license/bookkeeping.ts';
import { codec } from './codec.ts';
import { flag, instantText, object, optional, optionalInstant, own } from './shape.ts';

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
      ...optional('acts', own(fields, 'acts') === undefined ? undefined : flag(fields, 'acts', '')),
    };
  },
  write({ lastLicensedAt, latestSeenAt, acts }) {
    if (lastLicensedAt === undefined && latestSeenAt === undefined && acts === undefined) return undefined;
    return JSON.stringify({
      ...optional('lastLicensedAt', lastLicensedAt === undefined ? undefined : instantText(lastLicensedAt)),
      ...optional('latestSeenAt', latestSeenAt === undefined ? undefined : instantText(latestSeenAt)),
      ...optional('acts', acts),
    });
  },
});
