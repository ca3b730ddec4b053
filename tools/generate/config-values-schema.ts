import { configNode } from '../../src/config/config-node.ts';
import type { Node, TextFormat, TextNode } from '../../src/config/formats/value-types.ts';
import { blank } from '../../src/config/read-value.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The `config` part of the chart's values schema (draft-07). It never refuses what start-up accepts. Left to start-up:
 * what a pattern cannot say (does this timezone exist, does a range end after it starts) and rules between fields; left
 * to the templates: the two texts an install cannot do without, so that their message is a sentence.
 */
export function configValuesSchema(): JsonSchema {
  const fields = Object.entries(configNode.fields).map(([key, field]): [string, JsonSchema] => [
    key,
    field.kind === 'text' ? textSchema({ ...field, presence: 'defaulted' }) : schemaOf(field),
  ]);
  return {
    type: 'object',
    description: configNode.description,
    additionalProperties: false,
    properties: Object.fromEntries(fields),
  };
}

function schemaOf(node: Node): JsonSchema {
  const { description } = node;
  switch (node.kind) {
    case 'text':
      return textSchema(node);
    case 'flag':
      return { type: typeOf(node, 'boolean'), description, ...defaultOf(node) };
    case 'number':
      return {
        type: typeOf(node, node.integer ? 'integer' : 'number'),
        description,
        ...defaultOf(node),
        minimum: node.min,
        maximum: node.max,
      };
    case 'scalar':
      return {
        type: typeOf(node, 'boolean', 'integer', 'string'),
        description,
        minimum: 0,
        maximum: node.max,
        ...formatSchema(node.format, node.format.maxLength, false),
      };
    case 'list':
      return {
        type: typeOf(node, 'array'),
        description,
        ...defaultOf(node),
        maxItems: node.maxItems,
        items: schemaOf({ ...node.item, presence: 'required' }),
      };
    case 'map':
      return {
        type: typeOf(node, 'object'),
        description,
        ...defaultOf(node),
        maxProperties: node.maxItems,
        propertyNames: formatSchema(node.key, node.key.maxLength, false),
        additionalProperties: schemaOf({
          ...node.item,
          presence: node.item.kind === 'text' ? 'defaulted' : 'optional',
        }),
      };
    case 'record':
      return recordSchema(node.fields, { type: typeOf(node, 'object'), description });
    case 'either':
      return { description, anyOf: [schemaOf(node.text), schemaOf({ ...node.record, presence: 'required' })] };
  }
}

function recordSchema(fields: Readonly<Record<string, Node>>, head: JsonSchema): JsonSchema {
  const required = Object.keys(fields).filter((key) => fields[key]?.presence === 'required');
  return {
    ...head,
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, schemaOf(field)])),
  };
}

function textSchema(node: TextNode): JsonSchema {
  const head = {
    type: typeOf(node, ...(node.onOff ? ['string', 'boolean'] : ['string'])),
    description: node.description,
  };
  const nullable = node.presence !== 'required';
  if (node.choices !== undefined)
    return { ...head, ...defaultOf(node), enum: [...node.choices, ...(nullable ? [null] : [])] };
  const emptyAllowed = node.presence === 'defaulted' && node.default === '';
  return { ...head, ...defaultOf(node), ...formatSchema(node.format, node.maxLength, emptyAllowed) };
}

function formatSchema(format: TextFormat | undefined, maxLength: number, emptyAllowed: boolean): JsonSchema {
  if (format === undefined) return { maxLength };
  return { maxLength, pattern: emptyAllowed ? `^$|${format.pattern}` : format.pattern };
}

/** Helm drops a key that is set to null; where one reaches the schema it means the same: not set. */
function typeOf(node: Node, ...types: readonly string[]): string | readonly string[] {
  const all = node.presence === 'required' ? types : [...types, 'null'];
  return all.length === 1 ? all[0]! : all;
}

function defaultOf(node: Node): JsonSchema {
  return node.presence === 'defaulted' ? { default: blank(node) } : {};
}
