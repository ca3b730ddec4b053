import type { AnswerOf } from '../../contract/contract.ts';
import { shownHoliday } from '../../domain/holiday/wording.ts';
import { type Command, CommandFailed, exitCodes, print } from '../terminal/command.ts';
import { oneLine, table, timeText } from '../terminal/layout.ts';

type Status = AnswerOf<'hibernationStatus'>;

export const status: Command = {
  usage: 'status',
  summary: 'Whether the cluster is awake, why, and until when',
  async run(context) {
    const { client } = await context.connect();
    const answer = await client.hibernationStatus();
    print(context, answer, statusLines(answer));
    return exitCodes.done;
  },
};

function statusLines(answer: Status): readonly string[] {
  const { timezone, standDown, license, wakeOverride, manualHibernation, transition } = answer;
  const lines = [oneLine(answer.sentence), `Why: ${wantedText(answer.reason, answer.dryRun)}`];
  if (standDown !== null) {
    const handback = standDown.handbackDone ? 'the handback is finished' : 'the handback runs';
    const reason = standDown.reason === undefined ? '' : ` (${oneLine(standDown.reason)})`;
    lines.push(`Not scaling - stood down by ${oneLine(standDown.actor)}${reason}; ${handback}`);
  }
  if (license.chip !== null) lines.push(`${license.chip.text}: ${license.chip.detail}`);
  if (answer.dryRun) lines.push('Dry run: every decision is logged and no workload is changed');
  if (wakeOverride !== null)
    lines.push(`Kept awake by ${oneLine(wakeOverride.by)} until ${timeText(wakeOverride.until, timezone)}`);
  // A session that began after it is answered all the same, and ends by itself.
  const answered = answer.reason.code === 'external_wake';
  if (manualHibernation !== null)
    lines.push(`Put to sleep by ${oneLine(manualHibernation.by)}${answered ? ', before the other cluster asked' : ''}`);
  if (transition !== null)
    lines.push(
      `Running: ${transition.kind} by ${oneLine(transition.actor)} since ${timeText(transition.startedAt, timezone)}`,
    );
  lines.push(...keptUpLines(answer));
  if (answer.nextChangeAt !== undefined && !answered)
    lines.push(`Next change: ${timeText(answer.nextChangeAt, timezone)}${changeText(answer)}`);
  const { managed, up, hibernated, excluded } = answer.workloads;
  lines.push(`Workloads: ${managed} managed, ${up} up, ${hibernated} hibernated, ${excluded} left alone`);
  return lines;
}

/** Who keeps a part of a sleeping cluster up: the reason of the cluster itself does not say it. */
function keptUpLines({ keptUp = [], timezone }: Status): readonly string[] {
  return keptUp.map(
    ({ cluster, until, workloads: count }) =>
      `Cluster ${oneLine(cluster)} keeps ${workloads(count)} up until ${timeText(until, timezone)} (external wake)`,
  );
}

/** The next change is not the end of the night when a session ends before it. */
function changeText({ keptUp = [], nextChangeAt }: Status): string {
  const ending = keptUp.filter(({ until }) => until === nextChangeAt).map(({ cluster }) => oneLine(cluster));
  return ending.length === 0 ? '' : `, when the session of ${ending.join(', ')} ends`;
}

export const why: Command = {
  usage: 'why [KIND NAMESPACE/NAME]',
  summary: 'Why the cluster, or one workload, is up or down',
  operands: { '': 2 },
  async run(context) {
    const { client } = await context.connect();
    const [kind, ref] = context.args;
    if (kind === undefined) {
      const answer = await client.hibernationStatus();
      const { reason, sentence, nextChangeAt, dryRun, keptUp } = answer;
      print(context, { sentence, reason, nextChangeAt, dryRun, ...(keptUp === undefined ? {} : { keptUp }) }, [
        oneLine(sentence),
        wantedText(reason, dryRun),
        ...keptUpLines(answer),
      ]);
      return exitCodes.done;
    }
    const [namespace, name] = (ref ?? '').split('/');
    if (!namespace || !name) {
      throw new CommandFailed(exitCodes.error, 'Name a workload, such as: svc why deployment shop/cart');
    }
    const answer = await client.why({ params: { kind, namespace, name } });
    print(context, answer, answer.sentences.map(oneLine));
    return exitCodes.done;
  },
};

export const plan: Command = {
  usage: 'plan [--days N]',
  summary: 'The coming days, and what the next hibernation would touch',
  flags: ['days'],
  async run(context) {
    const { client } = await context.connect();
    const days = context.flags.days === undefined ? 7 : wholeNumber('--days', context.flags.days, 1, 62);
    const schedule = await client.schedule({ query: { days } });
    const preview = await client.preview({ query: { limit: 1000 } });
    const { dryRun, reason, timezone } = await client.hibernationStatus();
    print(context, { reason, schedule, preview }, [
      wantedText(reason, dryRun),
      ...outOfTurn(schedule.forecast, timezone),
      '',
      ...table(
        ['DATE', 'DAY', 'HOURS', 'FROM', 'NOTE'],
        schedule.plan.days.map((day) => [
          day.date,
          day.weekday,
          day.hours,
          day.source,
          [day.clockChange?.text ?? day.label, shownHoliday(day)].filter((note) => note !== undefined).join('; '),
        ]),
      ),
      '',
      `The next hibernation would touch ${workloads(preview.touched)} and leave ${preview.skipped.length} alone.`,
      ...tierLines(preview.tiers),
      ...(preview.wakeTiers.length === 0 ? [] : ['The wake after it, in order:', ...tierLines(preview.wakeTiers)]),
      ...besideWorkloads(preview),
      ...preview.wouldAdd.map(({ text }) => `${oneLine(text)}.`),
      ...preview.warnings.map(({ text }) => `warning: ${oneLine(text)}`),
    ]);
    return exitCodes.done;
  },
};

/** Reasons that no schedule gave: a person, another cluster, a stop. */
const outOfSchedule: ReadonlySet<string> = new Set([
  'wake_override',
  'manual_hibernation',
  'external_wake',
  'stand_down',
  'license',
  'license_not_checked',
  'state_undecodable',
]);

/** What should be, and why; in a dry run the cluster itself may be otherwise. */
function wantedText({ code, text }: Status['reason'], dryRun: boolean): string {
  if (!dryRun) return oneLine(text);
  return `Dry run. ${outOfSchedule.has(code) ? '' : 'By the schedule: '}${oneLine(text)}`;
}

/** What comes after the state of now, and not by the calendar: a session that outlasts a wake, for example. */
function outOfTurn(forecast: AnswerOf<'schedule'>['forecast'], timezone: string): readonly string[] {
  return (forecast ?? [])
    .slice(1)
    .filter(({ source }) => source === 'act' || source === 'cluster')
    .map(
      ({ awake, to, label }) =>
        `Then ${awake ? 'awake' : 'hibernated'} until ${timeText(to, timezone)}: ${oneLine(label)}`,
    );
}

function tierLines(tiers: AnswerOf<'preview'>['tiers']): readonly string[] {
  return tiers.map(({ name, workloads: members }) => `  ${oneLine(name)}: ${members.length}`);
}

export function workloads(count: number): string {
  return count === 1 ? '1 workload' : `${count} workloads`;
}

/** What else the next night touches; a line each, where there is something to say. */
function besideWorkloads({ databases, redirects, hosts }: AnswerOf<'preview'>): readonly string[] {
  const redirected = redirects.filter(({ reason }) => reason === undefined).map(({ service }) => service);
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['It would stop the databases', databases],
    ['It would put satellites in place of', redirected],
    ['The wake after it would ask the hosting clusters', hosts],
  ];
  return [
    ...lists.flatMap(([what, names]) => (names.length === 0 ? [] : [`${what} ${names.map(oneLine).join(', ')}.`])),
    ...redirects.flatMap(({ service, reason }) =>
      reason === undefined ? [] : [`warning: ${oneLine(service)} gets no satellite: ${oneLine(reason)}`],
    ),
  ];
}

export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new CommandFailed(exitCodes.error, `${name} is a number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}
