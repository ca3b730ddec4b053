import { type LicenseBookkeeping, noLicenseChecks } from '../domain/license/bookkeeping.ts';
import { verdicts } from '../domain/license/verdict.ts';
import { codec } from './codec/codec.ts';
import { flag, instantText, object, oneOf, optional, optionalInstant, own, text } from './codec/shape.ts';

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
      ...optional('found', own(fields, 'found') === undefined ? undefined : readFound(own(fields, 'found'))),
    };
  },
  write({ lastLicensedAt, latestSeenAt, acts, found }) {
    const json = {
      ...optional('lastLicensedAt', lastLicensedAt === undefined ? undefined : instantText(lastLicensedAt)),
      ...optional('latestSeenAt', latestSeenAt === undefined ? undefined : instantText(latestSeenAt)),
      ...optional('acts', acts),
      ...optional('found', found),
    };
    return Object.keys(json).length === 0 ? undefined : JSON.stringify(json);
  },
});

function readFound(value: unknown): NonNullable<LicenseBookkeeping['found']> {
  const fields = object(value, 'field found');
  return {
    verdict: oneOf(fields, 'verdict', 'field found', verdicts),
    reason: text(fields, 'reason', 'field found'),
  };
}
