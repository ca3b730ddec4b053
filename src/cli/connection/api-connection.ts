import { ApiError, createClient } from '../../contract/contract.ts';
import type { Clock } from '../../ports/clock.ts';
import { CommandFailed, type Connection, exitCodes } from '../terminal/command.ts';
import { oneLine } from '../terminal/layout.ts';
import type { SessionFile, StoredSession } from './session-file.ts';

export interface ApiConnectionOptions {
  readonly server: string;
  readonly sessions: SessionFile;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
}

/** An access token this close to its end is renewed first. */
const renewBeforeMs = 60_000;

/** Only over https, or to this machine: a token must not cross a network in the clear. */
export function checkedServer(text: string): string {
  const url = URL.parse(text);
  const local = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && local))) {
    throw new CommandFailed(
      exitCodes.error,
      `--server: ${JSON.stringify(text)} is not an https address such as https://svc.example.com (http only for localhost)`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** The API with the sign-in that was kept; it is renewed when it is about to end. */
export async function connectToApi(options: ApiConnectionOptions): Promise<Connection> {
  const { server, sessions } = options;
  const kept = await sessions.get(server);
  const session = kept === undefined ? undefined : await renewed(options, kept);
  const client = createClient({ ...common(options), token: () => session?.token });
  return { client, where: server, state: undefined, controller: () => undefined, close: async () => {} };
}

async function renewed(options: ApiConnectionOptions, session: StoredSession): Promise<StoredSession> {
  const { server, sessions, clock } = options;
  const left = Date.parse(session.expiresAt) - clock.now();
  if (left > renewBeforeMs || session.refreshToken === undefined) return session;
  try {
    const { refreshToken } = session;
    const answer = await createClient(common(options)).refreshSession({ body: { refreshToken } });
    const next: StoredSession = {
      email: session.email,
      token: answer.token,
      expiresAt: answer.expiresAt,
      ...(answer.refreshToken === undefined ? {} : { refreshToken: answer.refreshToken }),
    };
    await sessions.set(server, next);
    return next;
  } catch (error) {
    // Whoever may no longer come in has to sign in anew; anything else says itself with the command's own request.
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
      await sessions.set(server, undefined);
    }
    return session;
  }
}

function common({ server, fetch: send }: Pick<ApiConnectionOptions, 'server' | 'fetch'>) {
  return { baseUrl: server, fetch: reaching(server, send ?? fetch) };
}

/** A client for the time before there is a sign-in, or after it. */
export function clientOf(server: string, token?: string) {
  return createClient({ ...common({ server }), ...(token === undefined ? {} : { token: () => token }) });
}

/** Whoever cannot be reached is named, with the reason and what to look at; `fetch failed` would help nobody. */
function reaching(server: string, send: typeof fetch): typeof fetch {
  return async (...request) => {
    let answer: Response;
    try {
      answer = await send(...request);
    } catch (error) {
      throw new CommandFailed(
        exitCodes.error,
        `The service at ${server} cannot be reached: ${reasonOf(error)}.\nCheck --server or SVC_SERVER, or go straight to the cluster with --kubeconfig.`,
      );
    }
    const type = answer.headers.get('content-type') ?? '';
    if (answer.ok && /\bhtml\b/i.test(type)) {
      throw new CommandFailed(
        exitCodes.error,
        `${server} answers with a web page: it is not the address of the service, or something before it asks for a sign-in of its own.\nCheck --server or SVC_SERVER.`,
      );
    }
    return answer;
  };
}

/** The innermost cause says it: what fetch throws itself only says that it failed. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return oneLine(String(error));
  return error.cause === undefined ? oneLine(error.message) : reasonOf(error.cause);
}
