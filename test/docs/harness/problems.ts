import { dirname, join, normalize } from 'node:path';
import type { Known } from './known.ts';
import type { Fence, Page, Word } from './page.ts';

export interface Problem {
  readonly line: number;
  readonly message: string;
}

/** Everything in a page that the code contradicts. */
export function problemsOf(page: Page, known: Known): readonly Problem[] {
  return [
    ...page.links.flatMap((link) => linkProblem(page, link, known)),
    ...page.spans.flatMap((span) => spanProblem(span, known)),
    ...page.fences.flatMap((fence) => fenceProblems(fence, known)),
  ];
}

const said = (line: number, message: string | undefined): readonly Problem[] =>
  message === undefined ? [] : [{ line, message }];

function linkProblem(page: Page, { text, line }: Word, known: Known): readonly Problem[] {
  if (/^(https?|mailto):/.test(text)) return [];
  const [file = '', anchor] = text.split('#');
  const own = file === '';
  const target = own ? page.path : normalize(join(dirname(page.path), file)).replace(/\/$/, '');
  if (!own && !known.hasFile(target)) return said(line, `the link ${text} leads to ${target}, which does not exist`);
  if (anchor === undefined) return [];
  const anchors = own ? page.anchors : known.anchorsOf(target);
  return said(line, anchors?.has(anchor) ? undefined : `${target} has no heading for the anchor #${anchor}`);
}

type Check = (text: string, known: Known) => string | undefined;

const checks: readonly Check[] = [
  statusWithCode,
  endpoint,
  series,
  alert,
  configurationKey,
  filePath,
  script,
  commandLine,
  writtenInCode,
];

function spanProblem({ text, line }: Word, known: Known): readonly Problem[] {
  for (const check of checks) {
    const message = check(text, known);
    if (message !== undefined) return said(line, message);
  }
  return [];
}

function statusWithCode(text: string, { errors }: Known): string | undefined {
  const [, status = '', code = ''] = /^(\d{3}) ([a-z]+(?:_[a-z]+)*)$/.exec(text) ?? [];
  if (code === '') return undefined;
  const statuses = errors.get(code);
  if (statuses === undefined) return `there is no error code ${code}`;
  return statuses.includes(Number(status))
    ? undefined
    : `${code} is answered with ${statuses.join(' or ')}, not ${status}`;
}

function endpoint(text: string, { endpoints }: Known): string | undefined {
  const [, method = '', path = ''] = /^(?:(GET|POST|PUT|DELETE) )?(\/api\/v1\/[^\s?#]*)/.exec(text) ?? [];
  if (path === '') return undefined;
  const found = endpoints.some((known) => {
    const [knownMethod = '', knownPath = ''] = known.split(' ');
    return (method === '' || method === knownMethod) && samePath(path, knownPath);
  });
  return found ? undefined : `there is no endpoint ${text}`;
}

function samePath(given: string, known: string): boolean {
  const [ours, theirs] = [given.split('/'), known.split('/')];
  if (ours.at(-1)?.endsWith('*')) return known.startsWith(given.slice(0, -1));
  return (
    ours.length === theirs.length &&
    ours.every((part, index) => part === theirs[index] || theirs[index]?.startsWith('{') || false)
  );
}

function series(text: string, { metrics, inCode }: Known): string | undefined {
  const name = /^svc_[a-z_]+/.exec(text)?.[0];
  if (name === undefined) return undefined;
  const plain = name.replace(/_(bucket|sum|count)$/, '');
  return metrics.has(name) || metrics.has(plain) || inCode(`'${name}'`) ? undefined : `there is no metric ${name}`;
}

function alert(text: string, { alerts }: Known): string | undefined {
  if (!/^Svc[A-Z][A-Za-z]+$/.test(text)) return undefined;
  return alerts.has(text) ? undefined : `there is no alert ${text}`;
}

/** A span such as `config.a.b`, `config.a.b: true` or `config.a.b=true`. */
function configurationKey(text: string, { keys }: Known): string | undefined {
  const given = /^([a-z][A-Za-z]*(?:\.[A-Za-z0-9<>_*[\]-]+)+)(?:[:=].*)?$/.exec(text)?.[1];
  if (given === undefined || isFileName(given) || !hasRoot(given, keys)) return undefined;
  return isKey(given, keys) ? undefined : `there is no value ${given}`;
}

function isFileName(text: string): boolean {
  return /^[a-z]+\.(?:yaml|crt|key|json)$/.test(text);
}

function hasRoot(given: string, keys: ReadonlySet<string>): boolean {
  const root = given.split('.')[0] ?? '';
  return root === 'config' || (!ambiguous.has(root) && [...keys].some((key) => key.startsWith(`${root}.`)));
}

/** Words that also begin fields of Kubernetes objects or of bodies. */
const ambiguous = new Set(['resources', 'service', 'license', 'namespace', 'spec', 'image', 'global']);

/** `<weekday>`, `<name>` and numbers of a list stand for any name; what has keys below it is a key too. */
function isKey(given: string, keys: ReadonlySet<string>): boolean {
  const parts = given
    .replace(/\.\*$/, '')
    .replace(/\[\d*\]/g, '[]')
    .split('.');
  return [...keys].some((key) => {
    const theirs = key.split('.');
    return parts.every((part, index) => samePart(part, theirs[index]));
  });
}

function samePart(given: string, known: string | undefined): boolean {
  if (known === undefined) return false;
  if (given === known || given.startsWith('<') || known.startsWith('<')) return true;
  return known.endsWith('[]') && given === known.slice(0, -2);
}

const folders = /^(?:src|docs|test|tools|charts|web|demo|bench|images|embedded-cluster|\.github|\.ci)\//;

function filePath(text: string, { hasFile }: Known): string | undefined {
  if (!folders.test(text) || /\s/.test(text)) return undefined;
  const [path = ''] = text.split('#');
  return hasFile(path.replace(/<[^>]+>/g, '*').replace(/\/$/, '')) ? undefined : `there is no file ${path}`;
}

function script(text: string, { scripts }: Known): string | undefined {
  const name = /^npm run (?:--silent )?([a-z:]+)/.exec(text)?.[1] ?? /^npm (start|test)\b/.exec(text)?.[1];
  return name === undefined || scripts.has(name) ? undefined : `package.json has no script ${name}`;
}

function commandLine(text: string, { refusalOf, inCode }: Known): string | undefined {
  const words = /^(?:kubectl svc|svc) (.+)$/.exec(text)?.[1];
  if (words === undefined || !/^[a-z-]/.test(words)) return undefined;
  // A sentence of the service, such as `svc could not scale it up`.
  if (words.split(' ').length > 3 && inCode(text.split(' ').slice(0, 4).join(' '))) return undefined;
  return refusalOf(wordsOf(words));
}

function wordsOf(line: string): readonly string[] {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s]+/g) ?? [];
  const end = words.findIndex((word) => /^(\||&&|;|>|2>|#)/.test(word));
  return (end === -1 ? words : words.slice(0, end)).map((word) => word.replace(/^["']|["']$/g, ''));
}

/** Names that can only be ours: snake case, ConfigMaps, annotations, variables of the environment. */
function writtenInCode(text: string, { inCode, errors }: Known): string | undefined {
  const ours = /^(?:(?!svc_)[a-z]+(?:_[a-z]+)+|svc-[a-z-]+|svc\.io\/[a-z-]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/;
  if (!ours.test(text) || errors.has(text)) return undefined;
  return inCode(text) ? undefined : `${text} occurs nowhere in the code`;
}

function fenceProblems({ info, text, line }: Fence, known: Known): readonly Problem[] {
  const [language = ''] = info;
  if (language === 'yaml' && info.includes('values')) {
    return known.valueProblems(text).map((message) => ({ line, message }));
  }
  if (!['sh', 'console', ''].includes(language)) return [];
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap((one) => {
    const command = one.replace(/^\$ /, '').trim();
    const messages = [script(command, known), commandLine(command, known), ...setKeys(command, known)];
    return messages.flatMap((message) => said(line, message));
  });
}

/** The keys of `helm … --set a.b=c`. */
function setKeys(command: string, { keys }: Known): readonly (string | undefined)[] {
  return [...command.matchAll(/--set(?:-string|-json|-file)? ["']?([A-Za-z][^=\s]*)=/g)].map(([, key = '']) =>
    isKey(key, keys) ? undefined : `there is no value ${key}`,
  );
}
