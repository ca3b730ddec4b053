import { ApiError } from '../../contract/contract.ts';
import { type Command, type CommandContext, CommandFailed, type Connection, exitCodes, print } from '../command.ts';
import { oneLine, table } from '../layout.ts';

interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failed';
  readonly text: string;
}

type Check = (connection: Connection) => Promise<readonly Omit<Finding, 'check'>[]>;

const ok = (text: string) => [{ result: 'ok', text }] as const;
const warning = (text: string) => ({ result: 'warning', text }) as const;

const checks: Readonly<Record<string, Check>> = {
  'sign-in': async ({ client }) => {
    const { user } = await client.me();
    return user.admin ? ok(`${user.email}, an admin`) : [warning(`${user.email} is no admin and may only read`)];
  },
  status: async ({ client }) => ok((await client.hibernationStatus()).sentence),
  license: async ({ client }) => {
    const { verdict, acts, reason } = await client.license();
    return acts && verdict === 'licensed' ? ok(reason) : [{ result: acts ? 'warning' : 'failed', text: reason }];
  },
  state: async ({ client }) => {
    const { bytes, level, undecodable, differences } = await client.stateReport();
    const broken = undecodable.map((key) => ({ result: 'failed', text: `${key} cannot be decoded` }) as const);
    const differing = differences.map(({ message }) => warning(message));
    const size = level === 'normal' ? [] : [warning(`${bytes} bytes: ${level}`)];
    const found = [...broken, ...differing, ...size];
    return found.length === 0 ? ok(`${bytes} bytes, and in agreement with the cluster`) : found;
  },
  configuration: async ({ client }) => {
    const { refused } = await client.settings();
    return refused === null ? ok('the newest is in force') : [{ result: 'failed', text: refused }];
  },
  'next hibernation': async ({ client }) => {
    const { touched, warnings } = await client.preview({ query: { limit: 1 } });
    return [...ok(`${touched} workloads`), ...warnings.map(({ text }) => warning(text))];
  },
};

export const doctor: Command = {
  usage: 'doctor',
  summary: 'Check everything that can be checked from here',
  async run(context) {
    const connection = await context.connect();
    // Without an answer at all there is nothing to check: that is said once, as by every command.
    await connection.client.branding().catch((error: unknown) => {
      if (error instanceof CommandFailed) throw error;
    });
    const findings = (
      await Promise.all(Object.entries(checks).map(([name, check]) => look(connection, name, check)))
    ).flat();
    const rows = findings.map(({ check, result, text }) => [result, check, oneLine(text)]);
    print(context, { where: connection.where, findings }, [
      connection.where,
      ...table(['RESULT', 'CHECK', 'WHAT'], rows),
    ]);
    return exitOf(context, findings);
  },
};

async function look(connection: Connection, name: string, check: Check): Promise<readonly Finding[]> {
  try {
    return (await check(connection)).map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    const text = error instanceof ApiError ? `${error.status} ${error.code}: ${error.message}` : String(error);
    return [{ check: name, result: 'failed', text }];
  }
}

function exitOf(_context: CommandContext, findings: readonly Finding[]) {
  return findings.some(({ result }) => result === 'failed') ? exitCodes.error : exitCodes.done;
}
