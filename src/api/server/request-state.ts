import type { EndpointId } from '../../contract/endpoints.ts';
import type { Caller } from './guard.ts';

/** What is known of a request while it is answered. */
export interface RequestState {
  rawBody: Uint8Array;
  route: EndpointId | 'none';
  readonly startedAt: number;
  caller: Caller | undefined;
  errorCode: string | undefined;
  clientKey: string | undefined;
  /** What is yet to be done once the answer is out. */
  afterAnswer: readonly (() => Promise<void>)[];
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

const noBody = new Uint8Array();

/** Does once what was put off until now. */
export function runAfterAnswer(state: RequestState): Promise<unknown> {
  const runs = state.afterAnswer;
  state.afterAnswer = [];
  return Promise.all(runs.map((run) => run()));
}

export function newRequestState(startedAt: number): RequestState {
  return {
    rawBody: noBody,
    route: 'none',
    startedAt,
    caller: undefined,
    errorCode: undefined,
    clientKey: undefined,
    afterAnswer: [],
  };
}
