import type { CallLog } from './connection.ts';
import { type Credentials, redacted, redactedHeaders } from './redaction.ts';

/** As much of a client as is used here. Each has a type of its own for its middleware, so none is named: `never` fits all. */
interface LoggableClient {
  readonly config: { readonly credentials?: unknown };
  readonly middlewareStack: { add(middleware: never, options: never): void };
}

interface WireRequest {
  readonly method: string;
  readonly protocol?: string;
  readonly hostname: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Next = (args: { readonly request?: unknown; readonly input?: unknown }) => Promise<{ readonly output?: unknown }>;
type Middleware = (next: Next, context: Context) => Next;
type Context = { readonly clientName?: string; readonly commandName?: string };

const mostCharacters = 20_000;

/** Logs each call as it goes over the wire, signed, and what came back, while `verbose` says so; never a credential. */
export function logCalls(client: LoggableClient, log: CallLog): void {
  const add = (middleware: Middleware, options: object) =>
    // As the type of the client says: the SDK's own types differ from client to client.
    client.middlewareStack.add(middleware as never, options as never);
  add(
    (next, context) => async (args) => {
      if (log.verbose()) {
        const request = args.request as WireRequest;
        const credentials = await credentialsOf(client);
        log.logger.debug('Cloud request', {
          call: context.commandName,
          method: request.method,
          address: redacted(`${request.protocol ?? 'https:'}//${request.hostname}${request.path}`, credentials),
          // The signed headers and the scope of the signature: what one needs to see why a signing was refused.
          headers: redactedHeaders(request.headers, credentials),
          body: bodyText(request.body, credentials),
        });
      }
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'svcLogRequest', override: true },
  );
  add(
    (next, context) => async (args) => {
      if (!log.verbose()) return next(args);
      try {
        const result = await next(args);
        const credentials = await credentialsOf(client);
        log.logger.debug('Cloud answer', { call: context.commandName, body: bodyText(result.output, credentials) });
        return result;
      } catch (error) {
        const credentials = await credentialsOf(client);
        log.logger.debug('Cloud error', { call: context.commandName, error: redacted(String(error), credentials) });
        throw error;
      }
    },
    { step: 'initialize', priority: 'low', name: 'svcLogAnswer', override: true },
  );
}

function bodyText(body: unknown, credentials: Credentials | undefined): string {
  if (body === undefined) return '';
  const text =
    typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : asJson(body);
  return redacted(text, credentials).slice(0, mostCharacters);
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '[not shown: it refers to itself]';
  }
}

async function credentialsOf(client: LoggableClient): Promise<Credentials | undefined> {
  const { credentials } = client.config;
  try {
    return (typeof credentials === 'function' ? await credentials() : credentials) as Credentials | undefined;
  } catch {
    // No credentials were found, so none can leak.
    return undefined;
  }
}
