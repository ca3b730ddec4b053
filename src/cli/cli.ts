import { ApiError } from '../contract/contract.ts';
import type { Clock } from '../ports/clock.ts';
import { hibernate, keepAwake, resume, standDown, wake } from './commands/acts.ts';
import { completionOf } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { license } from './commands/license.ts';
import { audit, resources } from './commands/listings.ts';
import { login, logout } from './commands/login.ts';
import { state } from './commands/state.ts';
import { plan, status, why } from './commands/status.ts';
import { pageFor } from './help-pages.ts';
import {
  type Command,
  type CommandContext,
  CommandFailed,
  type Connection,
  type ExitCode,
  exitCodes,
  type Terminal,
} from './terminal/command.ts';
import { commonFlags, type FlagName, type Flags, parseFlags } from './terminal/flags.ts';
import { oneLine } from './terminal/layout.ts';

export const commands: Readonly<Record<string, Command>> = {
  status,
  why,
  wake,
  'keep-awake': keepAwake,
  hibernate,
  resume,
  'stand-down': standDown,
  plan,
  resources,
  audit,
  state,
  doctor,
  license,
  login,
  logout,
  completion: completionOf(() => commands),
};

export interface CliOptions {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly version: string;
  connect(flags: Flags): Promise<Connection>;
}

/** Runs one command and gives its exit code; nothing is thrown. */
export async function runCli(options: CliOptions): Promise<ExitCode> {
  const { terminal, clock, env } = options;
  const parsed = parseFlags(options.args);
  if (!parsed.ok) return failed(terminal, `${parsed.message}\nRun svc --help for what there is.`);
  const { flags, words } = parsed;
  const [name, ...args] = words;
  if (flags.version) return done(terminal, `svc ${options.version}`);
  if (name === undefined || name === 'help') return done(terminal, overview());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    return failed(terminal, `svc ${oneLine(name)} is not known. There are: ${Object.keys(commands).join(', ')}.`);
  }
  const stranger = flagOfAnotherCommand(name, command, args, parsed.given);
  if (stranger !== undefined) return failed(terminal, stranger);
  const stray = flags.help ? undefined : strayWord(name, command, args);
  if (stray !== undefined) return failed(terminal, stray);
  if (flags.help) return done(terminal, `svc ${command.usage}\n\n${command.summary}.`);
  let connection: Connection | undefined;
  const context: CommandContext = {
    args,
    flags,
    terminal,
    clock,
    env,
    async connect() {
      connection ??= await options.connect(flags);
      return connection;
    },
  };
  try {
    return await command.run(context);
  } catch (error) {
    return explained(terminal, error, flags.server ?? env['SVC_SERVER']);
  } finally {
    await connection?.close();
  }
}

/** A flag that is taken in silence and does nothing looks as if it had worked. */
function flagOfAnotherCommand(
  name: string,
  command: Command,
  [word = '']: readonly string[],
  given: readonly FlagName[],
): string | undefined {
  const { flags = [], words = {} } = command;
  const longer = Object.hasOwn(words, word);
  const taken: readonly FlagName[] = [...(longer ? (words[word] ?? []) : flags), ...commonFlags];
  const stranger = given.find((flag) => !taken.includes(flag));
  if (stranger === undefined) return undefined;
  const list = taken.map((flag) => `--${flag}`).join(', ');
  return `svc ${longer ? `${name} ${word}` : name} takes no --${stranger}; its flags are ${list}.`;
}

/** A word that is ignored may have been meant to make it another act: `stand-down off` must not stand down. */
function strayWord(name: string, { usage, words = {}, operands = {} }: Command, args: readonly string[]) {
  const [word = ''] = args;
  const longer = Object.hasOwn(words, word);
  const taken = (longer ? 1 : 0) + (operands[longer ? word : ''] ?? 0);
  const stray = args[taken];
  if (stray === undefined) return undefined;
  const said = oneLine([name, ...args.slice(0, taken)].join(' '));
  return `svc ${said} does not take the word ${JSON.stringify(oneLine(stray))}. It is called: svc ${usage}`;
}

function explained(terminal: Terminal, error: unknown, server = 'URL'): ExitCode {
  if (error instanceof CommandFailed) {
    terminal.err(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof ApiError) {
    const hint = error.status === 401 ? `\nSign in with: svc login --server ${server} --email ADDRESS` : '';
    const causes = Array.isArray(error.details['causes']) ? ` (${error.details['causes'].join(', ')})` : '';
    const page = pageFor(error.code);
    terminal.err(`${oneLine(error.message)}${causes}${hint}${page === undefined ? '' : `\nSee ${page}`}\n`);
    // The service said no to what was asked well; what is wrong as it is written is an error, whoever finds it.
    return [403, 409, 429].includes(error.status) ? exitCodes.refused : exitCodes.error;
  }
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return failed(terminal, `${error instanceof Error ? error.message : String(error)}${cause}`);
}

function overview(): string {
  const usages = Object.values(commands).map(({ usage, summary }) => `  svc ${usage}\n      ${summary}`);
  return `Puts a Kubernetes cluster to sleep outside working hours, and wakes it.

${usages.join('\n')}

  --server URL        the own address of the service; or SVC_SERVER
  --kubeconfig PATH   straight to the cluster, with the rights of the kubeconfig; --context NAME picks one of its contexts,
                      and SVC_NAMESPACE names the namespace of the release when that is not svc
  -o json             for programs
  --dry-run           of a command that acts: say what would be done, and do nothing
  --yes               of a command that acts: do not ask; without a terminal nothing is ever asked
  --namespace NS      of a listing: only what is in this namespace

Exit codes: 0 done; 1 error: a wrong word, something that does not exist, or no answer; 2 incomplete; 3 refused, and nothing
was changed. Called kubectl-svc, it is kubectl svc, and goes where kubectl goes.`;
}

function done(terminal: Terminal, text: string): ExitCode {
  terminal.out(`${text}\n`);
  return exitCodes.done;
}

function failed(terminal: Terminal, message: string): ExitCode {
  terminal.err(`${message}\n`);
  return exitCodes.error;
}
