import { configValuesSchema, type JsonSchema } from './config-values-schema.ts';

/** The chart's `values.schema.json`: strict on what the service reads, open on what the templates pass through. */
export function valuesSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart svc',
    type: 'object',
    additionalProperties: true,
    properties: { config: configValuesSchema() },
  };
}
