// The part of the Adaptive Card schema 1.5 that our cards use, closed like the published one: a property that a client
// of that version does not know is a mistake here.

const spacing = { enum: ['Default', 'None', 'Small', 'Medium', 'Large', 'ExtraLarge', 'Padding'] };

export const adaptiveCardSchema = {
  $id: 'adaptive-card-1.5',
  type: 'object',
  additionalProperties: false,
  required: ['type', 'version', 'body'],
  properties: {
    type: { const: 'AdaptiveCard' },
    $schema: { const: 'http://adaptivecards.io/schemas/adaptive-card.json' },
    version: { const: '1.5' },
    lang: { type: 'string', pattern: '^[a-z]{2}$' },
    fallbackText: { type: 'string' },
    body: { type: 'array', minItems: 1, items: { $ref: '#/definitions/element' } },
    actions: { type: 'array', items: { $ref: '#/definitions/openUrl' } },
  },
  definitions: {
    element: { anyOf: [{ $ref: '#/definitions/container' }, { $ref: '#/definitions/richText' }] },
    container: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'items'],
      properties: {
        type: { const: 'Container' },
        style: { enum: ['default', 'emphasis', 'good', 'attention', 'warning', 'accent'] },
        bleed: { type: 'boolean' },
        items: { type: 'array', items: { $ref: '#/definitions/richText' } },
        spacing,
      },
    },
    richText: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'inlines'],
      properties: {
        type: { const: 'RichTextBlock' },
        inlines: { type: 'array', minItems: 1, items: { $ref: '#/definitions/textRun' } },
        spacing,
      },
    },
    textRun: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'text'],
      properties: {
        type: { const: 'TextRun' },
        text: { type: 'string' },
        size: { enum: ['Default', 'Small', 'Medium', 'Large', 'ExtraLarge'] },
        weight: { enum: ['Default', 'Lighter', 'Bolder'] },
        color: { enum: ['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'] },
        isSubtle: { type: 'boolean' },
      },
    },
    openUrl: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'url'],
      properties: {
        type: { const: 'Action.OpenUrl' },
        title: { type: 'string' },
        url: { type: 'string', minLength: 1 },
      },
    },
  },
} as const;
