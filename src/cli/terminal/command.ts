import type { ApiClient } from '../../contract/contract.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StoredState } from '../../state/state-store.ts';
import type { ControllerPresence } from '../presence/controller-presence.ts';
import type { FlagName, Flags } from './flags.ts';

/** 0 done, 1 error, 2 incomplete, 3 refused. */
export const exitCodes = { done: 0, error: 1, incomplete: 2, refused: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a sentence and its exit code. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The outside of a command, so that it can be run without a terminal, a network or a home folder. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Undefined when there is nobody to ask. */
  ask?(question: string): Promise<string>;
  /** Text on standard error that the next one replaces; left out where it would fill a log. */
  progress?(text: string): void;
}

/** What only somebody with access to the cluster itself can do. */
export interface StateAccess {
  read(): Promise<StoredState>;
  rebuild(options: { readonly replace: boolean; readonly dryRun: boolean }): Promise<Rebuilt>;
}

interface Rebuilt {
  readonly added: readonly string[];
  readonly unreadable: readonly string[];
}

/** A way to the service: over its API with a sign-in, or straight through a kubeconfig. */
export interface Connection {
  readonly client: ApiClient;
  /** For people: where this goes. */
  readonly where: string;
  /** Undefined where an API is asked, and not the cluster itself. */
  readonly state: StateAccess | undefined;
  /** Whether a controller is there; only where the cluster itself is asked, and it can be told. */
  controller(): ControllerPresence | undefined;
  close(): Promise<void>;
}

export interface CommandContext {
  /** What stands after the command's own words. */
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  connect(): Promise<Connection>;
}

export interface Command {
  /** How it is called: `svc <usage>`. */
  readonly usage: string;
  readonly summary: string;
  /** Flags that it takes beside those of every command. */
  readonly flags?: readonly FlagName[];
  /** Where the next word makes it another command: the flags of each. */
  readonly words?: Readonly<Record<string, readonly FlagName[]>>;
  /** How many words it takes after that, by the word that makes it another command; `''` when there is none. */
  readonly operands?: Readonly<Record<string, number>>;
  run(context: CommandContext): Promise<ExitCode>;
}

/** Prints the answer for programs, or the lines for people. */
export function print(context: CommandContext, answer: unknown, lines: readonly string[]): void {
  const text = context.flags.output === 'json' ? JSON.stringify(answer, undefined, 2) : lines.join('\n');
  context.terminal.out(`${text}\n`);
}
