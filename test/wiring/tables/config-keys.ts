import { configNode } from '../../../src/config/config-node.ts';
import type { Node } from '../../../src/config/formats/value-types.ts';

/** Every key of the configuration that holds a value, as `smtp.port`, `wakeOrdering.tiers[].name` or `databases.<name>.region`. */
export function configKeys(node: Node = configNode, at = ''): readonly string[] {
  switch (node.kind) {
    case 'record':
      return Object.entries(node.fields).flatMap(([key, field]) => configKeys(field, at === '' ? key : `${at}.${key}`));
    case 'map':
      return configKeys(node.item, `${at}.<name>`);
    case 'either':
      return configKeys(node.record, at);
    case 'list':
      return isPlain(node.item) || isNamed(node.item) ? [at] : configKeys(node.item, `${at}[]`);
    default:
      return [at];
  }
}

/** Where a word of ours stands for a whole description, the list is one value too. */
function isNamed(node: Node): boolean {
  return node.kind === 'either' && node.text.choices !== undefined;
}

/** A list of texts is one value. */
function isPlain({ kind }: Node): boolean {
  return kind === 'text' || kind === 'number' || kind === 'flag' || kind === 'scalar';
}
