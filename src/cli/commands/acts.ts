import type { AnswerOf } from '../../contract/operations.ts';
import { parseDuration } from '../../domain/duration.ts';
import { askedWakeText } from '../../domain/wake/asked-wake-text.ts';
import {
  type Command,
  type CommandContext,
  CommandFailed,
  type Connection,
  type ExitCode,
  exitCodes,
  print,
} from '../terminal/command.ts';
import { oneLine, timeText } from '../terminal/layout.ts';
import { workloads } from './status.ts';
import { waitFor } from './wait.ts';

const acting = ['dry-run', 'yes'] as const;
const waiting = ['wait', 'timeout'] as const;

/** Says what an act would change, and asks, when there is somebody to ask; a dry run ends here. */
async function mayGoOn(context: CommandContext, what: string): Promise<boolean> {
  const { flags, terminal } = context;
  if (flags.dryRun) {
    print(context, { dryRun: true, would: what }, [`Dry run: this would ${what}. Nothing was changed.`]);
    return false;
  }
  const controller = (await context.connect()).controller();
  if (controller?.present === false) terminal.err(`warning: ${controller.text}\n`);
  if (flags.yes || terminal.ask === undefined) return true;
  const answer = await terminal.ask(`This will ${what}. Go on? [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return true;
  throw new CommandFailed(exitCodes.refused, 'Nothing was changed.');
}

export const wake: Command = {
  usage: 'wake [--for DURATION | --until TIME] [--wait [--timeout DURATION]]',
  summary: 'Wake the cluster now',
  flags: ['for', 'until', ...waiting, ...acting],
  run: (context) => wakeUp(context),
};

export const keepAwake: Command = {
  usage: 'keep-awake --until TIME | --for DURATION [--wait [--timeout DURATION]]',
  summary: 'Keep the cluster awake past its working hours',
  flags: ['for', 'until', ...waiting, ...acting],
  run(context) {
    if (context.flags.until === undefined && context.flags.for === undefined) {
      throw new CommandFailed(exitCodes.error, 'Say how long: --until 22:00 or --for 4h');
    }
    return wakeUp(context);
  },
};

async function wakeUp(context: CommandContext): Promise<ExitCode> {
  const { flags, clock } = context;
  const connection = await context.connect();
  const since = clock.now();
  const { total } = await connection.client.resources({ query: { state: 'hibernated', limit: 1 } });
  const { timezone, dryRun } = await connection.client.hibernationStatus();
  const body = {
    ...(flags.until === undefined ? {} : { until: instantOf(flags.until, timezone, clock.now()) }),
    ...(flags.for === undefined ? {} : { duration: flags.for }),
  };
  const end = endOf(body, clock.now());
  const kept = end === undefined ? '' : ` and keep the cluster awake until ${timeText(end, timezone)}`;
  if (!(await mayGoOn(context, `wake ${workloads(total)}${kept}`))) return exitCodes.done;
  const answer = await connection.client.wakeUp({ body });
  const line = wokenLine(answer, timezone, dryRun);
  if (!flags.wait || answer.renewal || dryRun) {
    print(context, answer, [line]);
    return exitCodes.done;
  }
  context.terminal.err(`${line}\n`);
  return waitFor(context, connection, 'wake', since);
}

function wokenLine(answer: AnswerOf<'wakeUp'>, timezone: string, dryRun: boolean): string {
  const { renewal, keptEnd, wakeOverride, awakeUntil } = answer;
  return askedWakeText(
    {
      dryRun,
      renewal,
      keptEnd,
      until: Date.parse(wakeOverride.until),
      awakeUntil: awakeUntil === undefined ? undefined : Date.parse(awakeUntil),
    },
    { time: (at) => timeText(new Date(at).toISOString(), timezone), howToSetTheEnd: '--until sets the end' },
  );
}

/** When the wake that is asked for would end; undefined where the service says how long. What is no duration is refused. */
function endOf({ until, duration }: { until?: string; duration?: string }, now: number): string | undefined {
  if (duration === undefined) return until;
  const parsed = parseDuration(duration);
  if (!parsed.ok) throw new CommandFailed(exitCodes.error, `--for: ${parsed.error}`);
  return until ?? new Date(now + parsed.ms).toISOString();
}

/** `22:00` is the next one by the cluster's clock; a date needs its zone, since it would be guessed at otherwise. */
function instantOf(text: string, timezone: string, now: number): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return nextTime(text, timezone, now);
  const at = Date.parse(text);
  if (Number.isNaN(at) || !/T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) {
    throw new CommandFailed(
      exitCodes.error,
      `--until: ${JSON.stringify(text)} is not a time such as 22:00, or 2026-12-24T18:00:00Z with a zone`,
    );
  }
  return new Date(at).toISOString();
}

function nextTime(text: string, timezone: string, now: number): string {
  const current = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone);
  const today = current.withPlainTime(Temporal.PlainTime.from(text));
  const next = Temporal.ZonedDateTime.compare(today, current) > 0 ? today : today.add({ days: 1 });
  return next.toInstant().toString();
}

async function untilOf({ client }: Connection, text: string, now: number): Promise<string> {
  const { timezone } = await client.hibernationStatus();
  return instantOf(text, timezone, now);
}

export const hibernate: Command = {
  usage: 'hibernate [--until TIME] [--wait [--timeout DURATION]]',
  summary: 'Put the cluster to sleep now',
  flags: ['until', ...waiting, ...acting],
  async run(context) {
    const { flags, clock } = context;
    const connection = await context.connect();
    const since = clock.now();
    const { touched, databases } = await connection.client.preview({ query: { limit: 1 } });
    const beside = databases.length === 0 ? '' : ` and stop the databases ${databases.map(oneLine).join(', ')}`;
    if (!(await mayGoOn(context, `take down ${workloads(touched)}${beside}`))) return exitCodes.done;
    const body = flags.until === undefined ? {} : { until: await untilOf(connection, flags.until, clock.now()) };
    const answer = await connection.client.triggerHibernation({ body });
    // In a dry run nothing begins that could be waited for; the answer says that it is one.
    if (!flags.wait || (await connection.client.hibernationStatus()).dryRun) return said(context, answer);
    context.terminal.err(`${oneLine(answer.message)}\n`);
    return waitFor(context, connection, 'hibernation', since);
  },
};

export const resume: Command = {
  usage: 'resume',
  summary: 'End a manual wake or hibernation: the schedule decides again',
  flags: acting,
  async run(context) {
    const { client } = await context.connect();
    if (!(await mayGoOn(context, 'let the schedule decide again'))) return exitCodes.done;
    return said(context, await client.resumeSchedule());
  },
};

export const standDown: Command = {
  usage: 'stand-down [--reason TEXT] [--wait [--timeout DURATION]] | stand-down --end',
  summary: 'The emergency stop: hand everything back and scale nothing; or end it',
  flags: ['reason', 'end', ...waiting, ...acting],
  words: { end: acting },
  async run(context) {
    const { flags } = context;
    const connection = await context.connect();
    if (flags.end || context.args[0] === 'end') {
      if (!(await mayGoOn(context, 'end the stand-down, after which the schedule decides'))) return exitCodes.done;
      const answer = await connection.client.endStandDown();
      const left =
        answer.standDown === null ? 'Stand-down ended.' : 'Ended; the configuration still holds a stand-down.';
      print(context, answer, [left]);
      return exitCodes.done;
    }
    if (!(await mayGoOn(context, 'hand everything back and stop scaling'))) return exitCodes.done;
    const body = flags.reason === undefined ? {} : { reason: flags.reason };
    const answer = await connection.client.standDown({ body });
    if (!flags.wait) {
      print(context, answer, ['Stood down; everything that was scaled down is handed back.']);
      return exitCodes.done;
    }
    return waitForHandback(context, connection);
  },
};

async function waitForHandback(context: CommandContext, connection: Connection): Promise<ExitCode> {
  const { clock, flags, terminal } = context;
  const code = await waitFor(context, connection, 'wake', clock.now());
  const { standDown: summary } = await connection.client.hibernationStatus();
  if (summary?.handbackDone) return code;
  terminal.err(`The handback is not finished${flags.timeout === undefined ? '' : ` after ${flags.timeout}`}.\n`);
  return exitCodes.incomplete;
}

function said(context: CommandContext, answer: { readonly message: string }): ExitCode {
  print(context, answer, [oneLine(answer.message)]);
  return exitCodes.done;
}
