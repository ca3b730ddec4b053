import { type EndpointId, endpoints } from './endpoints.ts';
import { type ErrorCode, isErrorCode } from './errors.ts';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from './operations.ts';

export interface ClientOptions {
  /** `https://svc.example.com` or, in a page of the same origin, empty. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  /** The access token, read for every request. */
  readonly token?: () => string | undefined;
}

/** The API answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'unknown';
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;

  constructor(status: number, body: unknown, retryAfter: string | null) {
    const { code, message, details } = (typeof body === 'object' && body !== null ? body : {}) as Record<
      string,
      unknown
    >;
    super(typeof message === 'string' ? message : `The API answered ${status}.`);
    this.status = status;
    this.code = typeof code === 'string' && isErrorCode(code) ? code : 'unknown';
    this.details = (details ?? {}) as Record<string, unknown>;
    if (retryAfter !== null && /^\d+$/.test(retryAfter)) this.retryAfterSeconds = Number(retryAfter);
  }
}

type Field<Name extends string, T> = T extends undefined
  ? unknown
  : object extends T
    ? { readonly [K in Name]?: T }
    : { readonly [K in Name]: T };

type InputOf<Id extends EndpointId> = Field<'params', ParamsOf<Id>> &
  Field<'query', QueryOf<Id>> &
  Field<'body', BodyOf<Id>> & { readonly signal?: AbortSignal };

type Call<Id extends EndpointId> =
  object extends InputOf<Id>
    ? (input?: InputOf<Id>) => Promise<AnswerOf<Id>>
    : (input: InputOf<Id>) => Promise<AnswerOf<Id>>;

/** One method a route, named as in `endpoints`. Each rejects with an `ApiError` for an error of the API. */
export type ApiClient = { readonly [Id in EndpointId]: Call<Id> } & {
  /** The address of a route, for links and streams. */
  url(id: EndpointId, input?: RequestParts): string;
  /** The raw answer, for CSV and the event stream; rejects like the others. */
  raw(id: EndpointId, input?: RequestParts): Promise<Response>;
};

export interface RequestParts {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export function createClient(options: ClientOptions): ApiClient {
  const send = options.fetch ?? fetch;
  const url = (id: EndpointId, input: RequestParts = {}) => `${options.baseUrl}${pathOf(id, input)}`;
  const raw = async (id: EndpointId, input: RequestParts = {}): Promise<Response> => {
    const token = options.token?.();
    const response = await send(url(id, input), {
      method: endpoints[id].method,
      headers: {
        accept: 'application/json',
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...input.headers,
      },
      credentials: 'same-origin',
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    });
    if (response.ok) return response;
    throw new ApiError(response.status, await bodyOf(response), response.headers.get('retry-after'));
  };
  const calls = Object.fromEntries(
    Object.keys(endpoints).map((id) => [
      id,
      async (input?: RequestParts) => (await raw(id as EndpointId, input)).json(),
    ]),
  );
  // Built from the table of endpoints, of which ApiClient is the type.
  return { ...calls, url, raw } as unknown as ApiClient;
}

export function pathOf(id: EndpointId, { params = {}, query = {} }: RequestParts = {}): string {
  const path = endpoints[id].path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  return search === '' ? path : `${path}?${search}`;
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}
