import { displayName } from '../formats/names.ts';
import { ownAddress } from '../formats/urls.ts';
import { flag, text } from '../formats/value-types.ts';

export const clusterName = text({
  format: displayName,
  rule: 'required',
  description: 'Name of this cluster in the web app, in notifications and in wake requests to other clusters.',
});

export const externalUrl = text({
  format: ownAddress,
  rule: 'required; https unless `config.allowInsecureExternalUrl`',
  description: "The instance's own address, to which requests for foreign hosts are redirected.",
});

export const internalUrl = text({
  default: '',
  format: ownAddress,
  rule: 'a bare host, without a path, while `config.auth.webauthn.enabled`',
  description: 'A second own address; while empty the external one serves.',
});

export const allowInsecureExternalUrl = flag({
  default: false,
  description:
    'Lets `config.externalUrl` and the addresses of hosting clusters be plain http; for local development only.',
});
