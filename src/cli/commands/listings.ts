import type { AnswerOf, QueryOf } from '../../contract/contract.ts';
import { type Command, CommandFailed, exitCodes, print } from '../terminal/command.ts';
import { oneLine, table, timeText } from '../terminal/layout.ts';
import { wholeNumber } from './status.ts';

type Resource = AnswerOf<'resources'>['items'][number];
type ListQuery = QueryOf<'resources'>;

export const resources: Command = {
  usage: 'resources [ignored] [--namespace NS] [--kind KIND] [--state STATE] [-q TEXT] [--limit N]',
  summary: 'Managed workloads with recorded and current count, or what is left alone',
  flags: ['namespace', 'kind', 'state', 'query', 'limit'],
  words: { ignored: ['namespace', 'kind', 'state', 'query', 'limit'] },
  async run(context) {
    const { client } = await context.connect();
    const query = listQuery(context.flags);
    if (context.args[0] === 'ignored') {
      const page = await client.ignoredResources({ query });
      const rows = page.items.map(({ kind, namespace, name, reason }) => [kind, namespace, name, reason]);
      print(context, page, [...table(['KIND', 'NAMESPACE', 'NAME', 'WHY'], rows), `${rows.length} of ${page.total}`]);
      return exitCodes.done;
    }
    const page = await client.resources({ query });
    print(context, page, [
      ...table(['KIND', 'NAMESPACE', 'NAME', 'STATE', 'NOW', 'RECORDED', 'OWNER'], page.items.map(resourceRow)),
      `${page.items.length} of ${page.total}`,
    ]);
    return exitCodes.done;
  },
};

function listQuery(flags: Parameters<Command['run']>[0]['flags']): ListQuery {
  const { namespace, kind, state, query, limit } = flags;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(kind === undefined ? {} : { kind: kind as NonNullable<ListQuery['kind']> }),
    ...(state === undefined ? {} : { state: state as 'up' }),
    ...(query === undefined ? {} : { q: query }),
    ...(limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, 1000) }),
  };
}

function resourceRow({ kind, namespace, name, state, replicas, suspended, recorded, owner }: Resource): string[] {
  const now = replicas === undefined ? (suspended ? 'suspended' : 'active') : String(replicas);
  return [kind, namespace, name, state, now, recordedText(recorded), owner ?? ''];
}

function recordedText(recorded: Resource['recorded']): string {
  if (recorded === null) return '-';
  if (recorded.replicas !== undefined) return String(recorded.replicas);
  return recorded.suspended ? 'suspended' : 'active';
}

export const audit: Command = {
  usage:
    'audit [--from TIME] [--to TIME] [--kind KIND] [--result RESULT] [--actor WHO] [-q TEXT] [--limit N] [--format csv]',
  summary: 'What was done, by whom, and how it ended',
  flags: ['from', 'to', 'kind', 'result', 'actor', 'query', 'limit', 'format'],
  async run(context) {
    const { client } = await context.connect();
    const { from, to, kind, result, actor, query, limit, format } = context.flags;
    const asked = {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(kind === undefined ? {} : { kind }),
      ...(result === undefined ? {} : { result: result as 'failed' }),
      ...(actor === undefined ? {} : { actor }),
      ...(query === undefined ? {} : { q: query }),
      limit: limit === undefined ? 20 : wholeNumber('--limit', limit, 1, 1000),
    };
    if (format !== undefined) {
      if (format !== 'csv') throw new CommandFailed(exitCodes.error, `--format is csv, not ${JSON.stringify(format)}`);
      context.terminal.out(await (await client.raw('audit', { query: { ...asked, format } })).text());
      return exitCodes.done;
    }
    const page = await client.audit({ query: asked });
    const rows = page.entries.map((entry) => [
      timeText(entry.at),
      entry.title,
      entry.actor,
      entry.result ?? '',
      entry.reason ?? '',
    ]);
    print(context, page, table(['AT', 'WHAT', 'WHO', 'RESULT', 'REASON'], rows).map(oneLine));
    return exitCodes.done;
  },
};
