import { shortName } from '../formats/names.ts';
import { flag, list, record, text } from '../formats/value-types.ts';

export const serviceRedirection = record(
  {
    enabled: flag({
      default: false,
      description:
        'Put a satellite in place of the services below while they hibernate. To be switched on with `helm upgrade`, which gives the controller the image.',
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
        description:
          'Services that show a wake page while they hibernate. A new one takes a `helm upgrade`, which grants the rights to it; after an edit of the ConfigMap alone the log names it and it gets no satellite.',
      },
    ),
  },
  { description: 'Wake pages in place of hibernating services.' },
);
