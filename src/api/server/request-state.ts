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
  /** Where it stands while it is done. */
  readonly underWay: Set<Promise<unknown>>;
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

const noBody = new Uint8Array();

/** Does once what was put off until now. */
export async function runAfterAnswer(state: RequestState): Promise<void> {
  const { afterAnswer, underWay } = state;
  state.afterAnswer = [];
  const all = Promise.all(afterAnswer.map((run) => run()));
  underWay.add(all);
  await all.finally(() => underWay.delete(all));
}

export function newRequestState(startedAt: number, underWay: Set<Promise<unknown>>): RequestState {
  return {
    rawBody: noBody,
    route: 'none',
    startedAt,
    caller: undefined,
    errorCode: undefined,
    clientKey: undefined,
    afterAnswer: [],
    underWay,
  };
}
