import { shortName } from '../formats/names.ts';
import { flag, list, record, text } from '../value-types.ts';

export const serviceRedirection = record(
  {
    enabled: flag({
      default: false,
      description: 'Put a satellite in place of the services below while they hibernate.',
    }),
    services: list(
      record(
        {
          namespace: text({ format: shortName, description: 'Namespace of the service.' }),
          name: text({ format: shortName, description: 'Name of the service.' }),
        },
        { description: 'A service.' },
      ),
      {
        maxItems: 500,
        rule: 'no service twice',
        description: 'Services that show a wake page while they hibernate.',
      },
    ),
  },
  { description: 'Wake pages in place of hibernating services.' },
);
