import { chartValueSchemas } from './chart-values-schema.ts';
import { configValuesSchema, type JsonSchema } from './config-values-schema.ts';
import { documentedValues } from './documented-values.ts';

/** The chart's `values.schema.json`: strict on what the service reads, open on what the templates pass through. */
export function valuesSchema(valuesText: string): JsonSchema {
  const own = object(chartValueSchemas);
  const documented = documentedValues(valuesText).filter(({ path }) => !path.startsWith('config.'));
  const described = documented.reduce(
    (schema, { path, description, default: value }) =>
      changedAt(schema, path.split('.'), (inner) => ({ description, default: value, ...inner })),
    own,
  );
  const properties = described['properties'] as Readonly<Record<string, JsonSchema>>;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart svc',
    ...described,
    properties: { config: configValuesSchema(), ...properties },
  };
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', additionalProperties: false, properties };
}

/** A copy whose schema at the path is replaced; shared parts stay as they are elsewhere. */
function changedAt(
  schema: JsonSchema,
  [key, ...rest]: readonly string[],
  change: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  if (key === undefined) return change(schema);
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  const inner = properties?.[key];
  if (inner === undefined) throw new Error(`values.yaml documents "${key}", which the schema does not know.`);
  return { ...schema, properties: { ...properties, [key]: changedAt(inner, rest, change) } };
}
