import { ApiError } from '../../contract/contract.ts';
import { checkedServer, clientOf } from '../connection/api-connection.ts';
import { SessionFile } from '../connection/session-file.ts';
import { type Command, CommandFailed, exitCodes, print } from '../terminal/command.ts';
import { oneLine, timeText } from '../terminal/layout.ts';

/** The address to go to: named, that of the environment, or the only one that there is a sign-in for. */
export async function serverOf(
  flags: { readonly server?: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const server = flags.server ?? env['SVC_SERVER'];
  if (server !== undefined && server !== '') return checkedServer(server);
  const [only, ...others] = await new SessionFile(env).servers();
  if (only === undefined) {
    throw new CommandFailed(
      exitCodes.error,
      'No server: give --server https://svc.example.com, set SVC_SERVER, or use --kubeconfig',
    );
  }
  if (others.length > 0) {
    const all = [only, ...others].join(' and ');
    throw new CommandFailed(exitCodes.error, `Signed in to ${all}: say which with --server or SVC_SERVER`);
  }
  return checkedServer(only);
}

/** Nothing is asked for then: a code may never come. Who has one already can go on. */
function refusedForNow(error: unknown): never {
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error;
  const { status, message, retryAfterSeconds } = error;
  throw new CommandFailed(
    status === 429 ? exitCodes.refused : exitCodes.error,
    `${oneLine(message)} Ask again in ${retryAfterSeconds} s. A code that has come is given with --code CODE.\nSee docs/limits.md`,
  );
}

export const login: Command = {
  usage: 'login --server URL --email ADDRESS [--code CODE]',
  summary: 'Sign in with a code that is sent by mail; the sign-in is kept for you alone',
  flags: ['email', 'code'],
  async run(context) {
    const { flags, terminal, env } = context;
    const server = await serverOf(flags, env);
    const email = flags.email ?? (await terminal.ask?.('E-mail address: '));
    if (email === undefined) throw new CommandFailed(exitCodes.error, 'There is nobody to ask: give --email');
    const client = clientOf(server);
    let otp = flags.code;
    if (otp === undefined) {
      const { message } = await client.requestOtp({ body: { email } }).catch(refusedForNow);
      terminal.err(`${message}\n`);
      if (terminal.ask === undefined) {
        terminal.err(`Then run: svc login --server ${server} --email ${email} --code CODE\n`);
        return exitCodes.incomplete;
      }
      otp = await terminal.ask('Code: ');
    }
    const session = await client.verifyOtp({ body: { email, otp: otp.trim(), refresh: 'body' } });
    const { token, expiresAt, refreshToken, user } = session;
    const file = new SessionFile(env);
    await file.set(server, { email, token, expiresAt, ...(refreshToken === undefined ? {} : { refreshToken }) });
    print(context, { server, user, expiresAt }, [
      `Signed in to ${server} as ${user.email}${user.admin ? ', an admin' : ''}, until ${timeText(expiresAt)}.`,
      `Kept in ${file.path}.`,
    ]);
    return exitCodes.done;
  },
};

export const logout: Command = {
  usage: 'logout [--server URL]',
  summary: 'End the sign-in, here and on the server',
  async run(context) {
    const { flags, env } = context;
    const server = await serverOf(flags, env);
    const file = new SessionFile(env);
    const kept = await file.get(server);
    if (kept !== undefined) {
      const client = clientOf(server, kept.token);
      const { refreshToken } = kept;
      try {
        await client.logout({ body: refreshToken === undefined ? {} : { refreshToken } });
      } finally {
        await file.set(server, undefined);
      }
    }
    print(context, { server }, [kept === undefined ? `Not signed in to ${server}.` : `Signed out of ${server}.`]);
    return exitCodes.done;
  },
};
