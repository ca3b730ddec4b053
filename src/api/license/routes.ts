import type { Handlers } from '../call/call.ts';
import type { Outlooks } from '../outlook/outlook.ts';
import { instantField, wireLicense } from '../outlook/wire.ts';
import { type ManagedState, readOr503 } from '../state/managed-state.ts';

export function licenseHandlers(state: ManagedState, outlooks: Outlooks): Pick<Handlers, 'license'> {
  return {
    async license() {
      const { snapshot } = await readOr503(state);
      const check = outlooks.license(snapshot);
      const { license } = check;
      return {
        ...wireLicense(check),
        reason: check.reason,
        ...(license === undefined ? {} : { licensee: license.licensee, id: license.id }),
        ...instantField('issuedAt', license?.issuedAt),
        ...instantField('expiresAt', license?.expiresAt),
        ...instantField('lastLicensedAt', check.lastLicensedAt),
        ...instantField('stopAt', check.stopAt),
      };
    },
  };
}
