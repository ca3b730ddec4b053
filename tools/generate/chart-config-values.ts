import { configGroups, configNode } from '../../src/config/config-node.ts';
import type { Node } from '../../src/config/formats/value-types.ts';
import { blank } from '../../src/config/read-value.ts';

const begin = '# >>> generated from src/config';
const end = '# <<< generated from src/config';
const lineWidth = 120;

/** The chart's `values.yaml` with its `config` part written anew from the configuration's own description. */
export function withConfigValues(valuesText: string): string {
  const from = valuesText.indexOf(begin);
  const to = valuesText.indexOf(end);
  if (from < 0 || to < from) throw new Error(`values.yaml has no part between the lines "${begin}" and "${end}".`);
  return `${valuesText.slice(0, from)}${begin}\n${configValues()}${valuesText.slice(to)}`;
}

function configValues(): string {
  const groups = configGroups.map(({ title, keys }) => {
    const lines = keys.flatMap((key) => entry(key, configNode.fields[key], 2));
    return [`  # ${title}`, ...lines].join('\n');
  });
  return `config:\n${groups.join('\n\n')}\n`;
}

function entry(key: string, node: Node, indent: number): readonly string[] {
  const space = ' '.repeat(indent);
  if (node.kind === 'record' && node.presence === 'defaulted') {
    const fields = Object.entries(node.fields).filter(([, field]) => field.presence !== 'optional');
    const head = node.sharedName === undefined ? [] : comment(node, space);
    return [...head, `${space}${key}:`, ...fields.flatMap(([name, field]) => entry(name, field, indent + 2))];
  }
  return [...comment(node, space), `${space}${key}: ${defaultText(node)}`];
}

function defaultText(node: Node): string {
  const value = node.presence === 'required' ? '' : blank(node);
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

function comment(node: Node, space: string): readonly string[] {
  const rules = [ruleOf(node), node.rule].filter((rule) => rule !== undefined).join('; ');
  const text = rules === '' ? node.description : `${node.description} Rule: ${rules}.`;
  return wrapped(`-- ${text}`, lineWidth - space.length - 2).map((line) => `${space}# ${line}`);
}

function ruleOf(node: Node): string | undefined {
  if (node.kind === 'text') {
    return node.choices === undefined ? node.format?.rule : `one of ${node.choices.join(', ')}`;
  }
  return node.kind === 'number' ? `${node.min} to ${node.max}` : undefined;
}

function wrapped(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
