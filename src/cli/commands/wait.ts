import type { AnswerOf } from '../../contract/contract.ts';
import { durationMs, parseDuration } from '../../domain/duration.ts';
import { sleep } from '../../ports/clock.ts';
import {
  type CommandContext,
  CommandFailed,
  type Connection,
  type ExitCode,
  exitCodes,
  print,
} from '../terminal/command.ts';
import { bar, oneLine } from '../terminal/layout.ts';

type Status = AnswerOf<'hibernationStatus'>;

const lookMs = 2_000;
/** The controller hears of an intent within a second; a transition that has not begun by then is none. */
const beginMs = 15_000;

/** Follows the wake or hibernation that an act began, and ends with what its audit entry says. */
export async function waitFor(
  context: CommandContext,
  { client }: Connection,
  kind: 'wake' | 'hibernation',
  since: number,
): Promise<ExitCode> {
  const { clock, terminal, flags } = context;
  const deadline = since + timeoutOf(flags.timeout);
  const tiers = new Set<string>();
  let begun = false;
  while (clock.now() < deadline) {
    const status = await client.hibernationStatus();
    const { transition, workloads } = status;
    begun ||= transition?.kind === kind;
    if (transition?.kind !== kind && (begun || (clock.now() - since > beginMs && !isDue(kind, status)))) {
      return outcome(context, await newestEntry(client, kind, since));
    }
    if (begun) {
      for (const line of await tierLines(client, tiers)) terminal.err(`${line}\n`);
      terminal.progress?.(bar(kind === 'wake' ? workloads.up : workloads.hibernated, workloads.managed));
    }
    await sleep(clock, lookMs);
  }
  throw new CommandFailed(
    exitCodes.incomplete,
    `The ${kind} goes on; waiting for it ended after ${flags.timeout ?? '45m'}.`,
  );
}

/** The cluster is not yet what the act asked for, and nothing but the controller's next pass is missing. */
function isDue(kind: 'wake' | 'hibernation', { state, wanted, reason }: Status): boolean {
  if (reason.code === 'state_undecodable') return false;
  return kind === 'wake' ? state === 'hibernated' && wanted === 'awake' : state === 'awake' && wanted === 'hibernated';
}

/** Longer than any wake with the limits as they come. */
function timeoutOf(text = '45m'): number {
  const parsed = parseDuration(text);
  if (!parsed.ok) throw new CommandFailed(exitCodes.error, `--timeout: ${parsed.error}`);
  return durationMs(text);
}

/** Each tier once for every state that it comes to. */
async function tierLines(client: Connection['client'], told: Set<string>): Promise<readonly string[]> {
  const { progress } = await client.wakeStatus();
  const tiers = (progress?.['progress'] as { tiers?: unknown } | undefined)?.tiers;
  if (!Array.isArray(tiers)) return [];
  const lines = (tiers as readonly { name: string; state: string; walkedPast?: boolean }[])
    .filter(({ state }) => state !== 'waiting')
    .map(({ name, state, walkedPast }) => oneLine(`tier ${name}: ${walkedPast ? 'walked past' : state}`));
  const fresh = lines.filter((line) => !told.has(line));
  for (const line of fresh) told.add(line);
  return fresh;
}

type Entry = Awaited<ReturnType<Connection['client']['audit']>>['entries'][number];

async function newestEntry(client: Connection['client'], kind: string, since: number): Promise<Entry | undefined> {
  const from = new Date(since).toISOString();
  const { entries } = await client.audit({ query: { from, limit: 50 } });
  const kinds = [kind, `${kind}-failed`, `${kind}-no-changes`];
  return entries.find((entry) => kinds.includes(entry.kind));
}

function outcome(context: CommandContext, entry: Entry | undefined): ExitCode {
  if (entry === undefined) {
    print(context, { result: null }, ['Nothing had to be done.']);
    return exitCodes.done;
  }
  const failed = entry.workloads_failed_detail ?? [];
  print(context, entry, [oneLine(entry.title), ...failed.map((line) => `  ${oneLine(line)}`)]);
  if (entry.result === 'failed') return exitCodes.error;
  return entry.result === 'incomplete' || entry.completeness === 'incomplete' ? exitCodes.incomplete : exitCodes.done;
}
