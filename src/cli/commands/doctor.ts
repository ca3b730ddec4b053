import { ApiError } from '../../contract/contract.ts';
import { InvalidConfiguration } from '../../platform/config-source.ts';
import {
  type Command,
  type CommandContext,
  CommandFailed,
  type Connection,
  type ExitCode,
  exitCodes,
  print,
} from '../terminal/command.ts';
import { oneLine, table } from '../terminal/layout.ts';
import { workloads } from './status.ts';

interface Finding {
  readonly check: CheckName;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly text: string;
  /** The page that helps; only where something is to be done. */
  readonly page?: string;
}

type Check = (connection: Connection) => Promise<readonly Pick<Finding, 'result' | 'text'>[]>;

/** Where to read on when a check is not ok. */
const pages = {
  'sign-in': 'docs/sign-in.md#who-sees-what',
  status: 'docs/recovery.md#when-the-state-cannot-be-read',
  controller: 'docs/troubleshooting.md',
  license: 'docs/license.md',
  state: 'docs/recovery.md#records',
  configuration: 'docs/monitoring.md#a-configuration-that-is-refused',
  brand: 'docs/branding.md#is-it-taken',
  holidays: 'docs/schedules.md#holidays',
  'next hibernation': 'docs/first-night.md#2-read-what-it-would-do',
} as const;

type CheckName = keyof typeof pages;

const ok = (text: string) => [{ result: 'ok', text }] as const;
const warning = (text: string) => ({ result: 'warning', text }) as const;

const checks: Readonly<Record<CheckName, Check>> = {
  'sign-in': async ({ client }) => {
    const { user } = await client.me();
    return user.admin ? ok(`${user.email}, an admin`) : [warning(`${user.email} is no admin and may only read`)];
  },
  status: async ({ client }) => ok((await client.hibernationStatus()).sentence),
  controller: async (connection) => {
    const found = connection.controller();
    return found === undefined ? [] : [{ result: found.present ? 'ok' : 'failed', text: found.text }];
  },
  license: async ({ client }) => {
    const { verdict, acts, reason } = await client.license();
    return acts && verdict === 'licensed' ? ok(reason) : [{ result: acts ? 'warning' : 'failed', text: reason }];
  },
  state: async ({ client }) => {
    const { bytes, level, undecodable, differences } = await client.stateReport();
    const { transition } = await client.hibernationStatus();
    const broken = undecodable.map((key) => ({ result: 'failed', text: `${key} cannot be decoded` }) as const);
    // A running transition keeps records until it has seen their workloads where they belong: they differ by design.
    const differing = transition === null ? differences.map(({ message }) => warning(message)) : [];
    const size = level === 'normal' ? [] : [warning(`${bytes} bytes: ${level}`)];
    const found = [...broken, ...differing, ...size];
    if (found.length > 0) return found;
    return transition === null
      ? ok(`${bytes} bytes, and in agreement with the cluster`)
      : ok(`${bytes} bytes; a ${transition.kind} runs, so records and cluster are not compared`);
  },
  configuration: async ({ client }) => {
    const { refused } = await client.settings();
    return refused === null ? ok('the newest is in force') : [{ result: 'failed', text: refused }];
  },
  brand: async ({ client }) => {
    const { brandRefused } = await client.settings();
    if (brandRefused !== null) return [warning(`ignored, the product's own is shown: ${brandRefused}`)];
    const { name } = await client.branding();
    return name === null ? [] : ok(name);
  },
  holidays: async ({ client }) => (await client.settings()).warnings.map(warning),
  'next hibernation': async ({ client }) => {
    const { touched, warnings } = await client.preview({ query: { limit: 1000 } });
    const [first, ...others] = warnings.map(({ text }) => text);
    if (first === undefined) return ok(workloads(touched));
    const more = others.length === 0 ? '' : ` … and ${others.length} more: svc plan`;
    return [...ok(workloads(touched)), warning(`${first}${more}`)];
  },
};

export const doctor: Command = {
  usage: 'doctor',
  summary: 'Check everything that can be checked from here',
  async run(context) {
    const connection = await context.connect().catch((error: unknown) => {
      if (error instanceof InvalidConfiguration) return error;
      throw error;
    });
    // Nothing runs with such a configuration, so there is nothing else to look at.
    if (connection instanceof InvalidConfiguration) {
      return report(context, undefined, named('configuration', [{ result: 'failed', text: connection.message }]));
    }
    // Without an answer at all there is nothing to check: that is said once, as by every command.
    await connection.client.branding().catch((error: unknown) => {
      if (error instanceof CommandFailed) throw error;
    });
    const findings = (
      await Promise.all((Object.keys(checks) as CheckName[]).map((name) => look(connection, name)))
    ).flat();
    return report(context, connection.where, findings);
  },
};

function report(context: CommandContext, where: string | undefined, findings: readonly Finding[]): ExitCode {
  const rows = findings.map(({ check, result, text }) => [result, check, oneLine(text)]);
  print(context, { ...(where === undefined ? {} : { where }), findings }, [
    ...(where === undefined ? [] : [where]),
    ...table(['RESULT', 'CHECK', 'WHAT'], rows),
    ...[...new Set(findings.flatMap(({ check, page }) => (page === undefined ? [] : [`${check}: see ${page}`])))],
  ]);
  return findings.some(({ result }) => result === 'failed') ? exitCodes.error : exitCodes.done;
}

async function look(connection: Connection, check: CheckName): Promise<readonly Finding[]> {
  const found = await checks[check](connection).catch((error: unknown) => {
    const text = error instanceof ApiError ? `${error.status} ${error.code}: ${error.message}` : String(error);
    return [{ result: 'failed', text }] as const;
  });
  return named(check, found);
}

function named(check: CheckName, found: readonly Pick<Finding, 'result' | 'text'>[]): readonly Finding[] {
  return found.map((finding) => ({ check, ...finding, ...(finding.result === 'ok' ? {} : { page: pages[check] }) }));
}
