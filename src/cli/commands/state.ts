import {
  type Command,
  type CommandContext,
  CommandFailed,
  type ExitCode,
  exitCodes,
  print,
} from '../terminal/command.ts';
import { oneLine } from '../terminal/layout.ts';

export const state: Command = {
  usage: 'state show | verify | rebuild [--replace]',
  summary: 'What is recorded, whether it agrees with the cluster, and how to get it back',
  words: { show: [], verify: [], rebuild: ['replace', 'dry-run'] },
  run(context) {
    const [what] = context.args;
    if (what === 'show') return show(context);
    if (what === 'verify') return verify(context);
    if (what === 'rebuild') return rebuild(context);
    throw new CommandFailed(exitCodes.error, 'Say what: svc state show, svc state verify or svc state rebuild');
  },
};

async function show(context: CommandContext): Promise<ExitCode> {
  const access = await stateOf(context);
  const { data: stored, continuation } = await access.read();
  const parts = continuation?.parts ?? [];
  const goesOn = parts.map(({ key, name, text }) => [`${key} in ${name}`, text ?? 'is gone']);
  const data: Readonly<Record<string, string>> = { ...stored, ...Object.fromEntries(goesOn) };
  const keys = Object.keys(data).sort();
  print(
    context,
    data,
    keys.length === 0
      ? ['There is no state: this cluster never hibernated.']
      : keys.flatMap((key) => [`${key}:`, `  ${oneLine(data[key] ?? '')}`]),
  );
  return exitCodes.done;
}

async function verify(context: CommandContext): Promise<ExitCode> {
  const { client } = await context.connect();
  const report = await client.stateReport();
  const problems = [
    ...report.undecodable.map((key) => `${key} cannot be decoded`),
    ...report.differences.map(({ message }) => oneLine(message)),
  ];
  const size = `${report.bytes} bytes (${report.level})`;
  print(context, report, [...problems, problems.length === 0 ? `Records and cluster agree; ${size}.` : size]);
  return problems.length === 0 ? exitCodes.done : exitCodes.incomplete;
}

async function rebuild(context: CommandContext): Promise<ExitCode> {
  const access = await stateOf(context);
  const { dryRun, replace } = context.flags;
  const answer = await access.rebuild({ replace, dryRun });
  const { added, unreadable } = answer;
  print(context, answer, [
    ...added.map((line) => `${dryRun ? 'would add' : 'added'} ${oneLine(line)}`),
    ...unreadable.map((line) => `cannot be rebuilt: ${oneLine(line)}`),
    added.length === 0 ? 'No record is missing.' : `${added.length} records ${dryRun ? 'would be ' : ''}rebuilt.`,
  ]);
  return unreadable.length === 0 ? exitCodes.done : exitCodes.incomplete;
}

async function stateOf(context: CommandContext) {
  const connection = await context.connect();
  if (connection.state === undefined) {
    throw new CommandFailed(exitCodes.error, 'This reads the cluster itself: give --kubeconfig PATH');
  }
  return connection.state;
}
