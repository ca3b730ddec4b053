import { displayName } from '../formats/names.ts';
import { peerAddress } from '../formats/urls.ts';
import { list, record, text } from '../formats/value-types.ts';
import { secretRef } from './shared/secret-ref.ts';
import { remoteResources } from './shared/selectors.ts';

export const externalDependencies = list(
  record(
    {
      cluster: text({
        format: displayName,
        rule: 'unique',
        description: 'Name of the hosting cluster: its own `externalWake.localClusterName`.',
      }),
      url: text({
        format: peerAddress,
        rule: 'https unless `config.allowInsecureExternalUrl`',
        description: 'Address of the instance on the hosting cluster.',
      }),
      secretRef,
      resources: remoteResources,
    },
    { description: 'A hosting cluster.' },
  ),
  { maxItems: 50, description: 'Hosting clusters whose resources a wake of this cluster also wakes.' },
);
