import { configReference } from './config-reference.ts';
import type { GeneratedFile } from './generated-file.ts';
import { valuesSchema } from './values-schema.ts';

/** Every file of the repository that comes from another. */
export const generatedFiles: readonly GeneratedFile[] = [
  { path: 'charts/svc/values.schema.json', content: () => `${JSON.stringify(valuesSchema(), null, 2)}\n` },
  { path: 'docs/reference/configuration.md', content: configReference },
];
