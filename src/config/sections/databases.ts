import { awsRegion, databaseIdentifier, displayName, shortName } from '../formats/names.ts';
import { peerAddress } from '../formats/urls.ts';
import { choice, float, map, optional, record, text } from '../formats/value-types.ts';
import { proxy } from './proxy.ts';

const database = record(
  {
    provider: choice(['aws'], { default: 'aws', description: 'The cloud that runs the database.' }),
    type: choice(['instance', 'cluster'], { description: 'A single instance or a cluster of them.' }),
    identifier: text({ format: databaseIdentifier, description: 'Identifier of the database in the cloud.' }),
    region: text({ format: awsRegion, description: 'Region of the database.' }),
    endpoint: optional(
      text({ format: peerAddress, description: "Address of the cloud's API instead of the public one." }),
    ),
    profile: optional(text({ format: displayName, description: 'Credential profile.' })),
    proxyURL: optional(proxy('HTTP proxy for this database, instead of `config.proxyURL`.')),
    hourlyRate: optional(
      float({
        default: 0,
        min: 0,
        max: 100_000,
        description: 'What an hour of it costs, in the currency of the costs; the list price while absent.',
      }),
    ),
  },
  { description: 'A managed database.' },
);

export const databases = map(shortName, database, {
  maxItems: 200,
  description: 'Managed databases that are stopped and started with the schedule.',
});
