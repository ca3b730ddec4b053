import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { commands } from '../../../src/cli/cli.ts';
import { commonFlags, parseFlags } from '../../../src/cli/terminal/flags.ts';
import { parseConfig } from '../../../src/config/config.ts';
import { endpointIds, endpoints } from '../../../src/contract/endpoints.ts';
import { type ErrorCode, errorCatalogue, statusesOf } from '../../../src/contract/errors.ts';
import { alertName } from '../../../tools/generate/alerts-reference.ts';
import { configReference } from '../../../tools/generate/config-reference.ts';
import { metricsTable } from '../../../tools/generate/metrics-table.ts';
import type { Known } from './known.ts';
import { type Page, readPage } from './page.ts';

export const listedFiles = listed();
const files = listedFiles;
const valuesText = readFileSync('charts/svc/values.yaml', 'utf8');

function listed(): readonly string[] {
  const git = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return git.stdout.split('\n').filter((file) => file !== '');
}

/** Every page that is written for readers, by its path. */
export function readPages(): readonly Page[] {
  return files.filter((file) => file.endsWith('.md')).map((path) => readPage(path, readFileSync(path, 'utf8')));
}

/** This repository, as it is on disk. */
export function knownHere(pages: readonly Page[]): Known {
  const folders = new Set(files.flatMap((file) => parentsOf(file)));
  const code = sourceText();
  return {
    keys: new Set([...configurationKeys(), ...valueKeys(parse(valuesText), '')]),
    metrics: new Set(metricsTable.map(({ name }) => name)),
    alerts: alertNames(),
    endpoints: endpointIds.map((id) => `${endpoints[id].method} ${endpoints[id].path}`),
    errors: new Map(Object.keys(errorCatalogue).map((code) => [code, statusesOf(code as ErrorCode)])),
    scripts: new Set(Object.keys(packageJson.scripts)),
    hasFile: (path) => path === '.' || folders.has(path) || files.some(matcher(path)),
    anchorsOf: (path) => pages.find((page) => page.path === path)?.anchors,
    inCode: (word) => code.includes(word),
    refusalOf,
    valueProblems,
  };
}

function matcher(pattern: string): (file: string) => boolean {
  if (!/[*{]/.test(pattern)) return (file) => file === pattern;
  const choices = pattern.replace(/[.+^$()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*');
  const expression = choices.replace(/\{([^}]*)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`);
  const whole = new RegExp(`^${expression}(?:/.*)?$`);
  return (file) => whole.test(file);
}

function parentsOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function configurationKeys(): readonly string[] {
  return [...configReference().matchAll(/^\| `(config\.[^`]+)`/gm)].map(([, key = '']) => key);
}

function valueKeys(value: unknown, path: string): readonly string[] {
  const own = path === '' ? [] : [path];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) => valueKeys(inner, path === '' ? key : `${path}.${key}`)),
    // A map without entries takes keys of the user's own.
    ...(Object.keys(value).length === 0 ? [`${path}.<name>`, `${path}.<name>.<name>`] : []),
  ];
}

function alertNames(): ReadonlySet<string> {
  const { metrics } = parse(valuesText) as { metrics: { prometheusRule: { alerts: object } } };
  return new Set(Object.keys(metrics.prometheusRule.alerts).map(alertName));
}

function sourceText(): string {
  const code =
    /^(?:src|charts|tools|test|demo|embedded-cluster|web|bench|images)\/.*\.(?:ts|tsx|mjs|ya?ml|tpl|txt)$|^package\.json$/;
  return files
    .filter((file) => code.test(file) && !file.startsWith('test/docs/'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** Usages of pages are examples, or the grammar itself with brackets and capitals; both have to name what there is. */
function refusalOf(line: readonly string[]): string | undefined {
  const plain = line.flatMap((word) =>
    word
      .replace(/[[\]|…]/g, ' ')
      .split(' ')
      .filter((one) => one !== ''),
  );
  const [name = ''] = plain;
  if (name === '--help' || name === '--version' || name === 'help') return undefined;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) return name.startsWith('-') ? undefined : `svc has no command ${name}`;
  const flags = plain.filter((word) => /^--[a-z]/.test(word)).map((word) => word.slice(2).split('=')[0] ?? '');
  const longer = plain.slice(1).find((word) => Object.hasOwn(command.words ?? {}, word));
  const own: readonly string[] = [
    ...(longer === undefined
      ? [...(command.flags ?? []), ...Object.values(command.words ?? {}).flat()]
      : (command.words?.[longer] ?? [])),
    ...commonFlags,
  ];
  const stranger = flags.find((flag) => !own.includes(flag));
  if (stranger !== undefined) return `svc ${name} takes no --${stranger}`;
  const parsed = parseFlags(plain.filter((word) => word !== '--' && !/^-[a-z]$/.test(word)));
  return parsed.ok || /argument missing/.test(parsed.message) ? undefined : `svc ${line.join(' ')}: ${parsed.message}`;
}

const required = { clusterName: 'staging', externalUrl: 'https://svc.example.com' };
const schema = JSON.parse(readFileSync('charts/svc/values.schema.json', 'utf8')) as object;
const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);

/** Values as helm would get them, and the configuration in them as the processes would. What every install needs is filled in. */
function valueProblems(yaml: string): readonly string[] {
  const given = parse(yaml) as { config?: object; secrets?: object };
  const secrets = { jwtSecret: 'x'.repeat(44), internalApiSecret: 'x'.repeat(44), ...given.secrets };
  const values = { ...given, secrets, config: { ...required, ...given.config } };
  const parsed = parseConfig(values.config);
  const byConfig = parsed.ok ? [] : parsed.errors.map((error) => JSON.stringify(error));
  const bySchema = validate(values)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  return [...byConfig, ...bySchema];
}
