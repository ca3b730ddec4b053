import { parseArgs } from 'node:util';

export interface Flags {
  readonly output: 'text' | 'json';
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly wait: boolean;
  readonly help: boolean;
  readonly version: boolean;
  readonly end: boolean;
  readonly replace: boolean;
  readonly server?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly until?: string;
  readonly for?: string;
  readonly timeout?: string;
  readonly reason?: string;
  readonly email?: string;
  readonly code?: string;
  readonly days?: string;
  readonly limit?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly query?: string;
  readonly actor?: string;
  readonly result?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format?: string;
  readonly key?: string;
  readonly licensee?: string;
  readonly id?: string;
  readonly expires?: string;
}

export type ParsedFlags =
  | {
      readonly ok: true;
      readonly flags: Flags;
      readonly words: readonly string[];
      /** As they are written out, without those that only have a default. */
      readonly given: readonly FlagName[];
    }
  | { readonly ok: false; readonly message: string };

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const options = {
  output: { type: 'string', short: 'o', default: 'text' },
  'dry-run': flag,
  yes: { ...flag, short: 'y' },
  wait: flag,
  help: { ...flag, short: 'h' },
  version: flag,
  end: flag,
  replace: flag,
  server: { ...text, short: 's' },
  kubeconfig: text,
  context: text,
  namespace: { ...text, short: 'n' },
  until: text,
  for: text,
  timeout: text,
  reason: text,
  email: text,
  code: text,
  days: text,
  limit: text,
  kind: text,
  state: text,
  query: { ...text, short: 'q' },
  actor: text,
  result: text,
  from: text,
  to: text,
  format: text,
  key: text,
  licensee: text,
  id: text,
  expires: text,
} as const;

export type FlagName = keyof typeof options;

/** Whether the next word belongs to the flag. */
export function takesValue(name: string): boolean {
  return Object.hasOwn(options, name) && options[name as FlagName].type === 'string';
}

/** Every command can be asked where, how and for help. */
export const commonFlags = [
  'output',
  'server',
  'kubeconfig',
  'context',
  'help',
  'version',
] as const satisfies FlagName[];

/** Flags may stand anywhere; a bad one is named together with what would be right. */
export function parseFlags(args: readonly string[]): ParsedFlags {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      strict: true,
      allowPositionals: true,
      tokens: true,
    });
    const { output, 'dry-run': dryRun, ...rest } = values;
    if (output !== 'text' && output !== 'json') {
      return { ok: false, message: `--output is text or json, not ${JSON.stringify(output)}` };
    }
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name as FlagName] : []));
    return { ok: true, flags: { ...rest, output, dryRun }, words: positionals, given };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
