import type { FastifyReply, FastifyRequest } from 'fastify';
import { firstProblem, fromText } from '../../contract/check.ts';
import type { Operation } from '../../contract/operations.ts';
import { invalid } from '../call/refusal.ts';
import type { User } from '../call/user.ts';
import type { Caller } from './guard.ts';
import { parseCookies, parseJsonBody } from './json-body.ts';
import { runAfterAnswer } from './request-state.ts';

/** A request as its handler sees it. A class, and its rarer parts worked out when asked for: every request makes one. */
export class RequestCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly user: User | undefined;
  readonly cluster: string | undefined;
  readonly clientKey: string;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  // biome-ignore lint/complexity/useMaxParams: everything that is known of a call once it is let in.
  constructor(operation: Operation, request: FastifyRequest, reply: FastifyReply, caller: Caller, clientKey: string) {
    const { params, query, body } = operation;
    this.#request = request;
    this.#reply = reply;
    this.params = params === undefined ? undefined : checkedTexts(params, request.params);
    this.query = query === undefined ? undefined : checkedTexts(query, request.query);
    this.body = body === undefined ? undefined : bodyOf(operation, body, request.state.rawBody);
    this.user = caller.user;
    this.cluster = caller.cluster;
    this.clientKey = clientKey;
  }

  get cookies(): ReadonlyMap<string, string> {
    return parseCookies(this.#request.headers.cookie);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  afterAnswer(run: () => Promise<void>): void {
    const { state } = this.#request;
    const { raw } = this.#reply;
    state.afterAnswer = [...state.afterAnswer, run];
    // To who is gone no answer gets out, and what was kept for him has to be let go of all the same.
    const gone = () => void runAfterAnswer(state);
    if (raw.closed) queueMicrotask(gone);
    else raw.once('close', gone);
  }

  setHeader(name: string, value: string): void {
    this.#reply.header(name, value);
  }
}

function checkedTexts(schema: object, texts: unknown): unknown {
  return checked(schema, fromText(schema, { ...(texts as Record<string, unknown>) }));
}

function bodyOf(operation: Operation, schema: object, raw: Uint8Array): unknown {
  const body = parseJsonBody(raw);
  if (body === undefined && operation.bodyOptional === true) return undefined;
  return checked(schema, body === undefined ? null : body);
}

function checked(schema: object, value: unknown): unknown {
  const problem = firstProblem(schema, value);
  if (problem !== undefined) throw invalid(problem.field, problem.message);
  return value;
}
