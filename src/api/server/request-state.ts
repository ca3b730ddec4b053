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
  readonly afterAnswer: (() => Promise<void>)[];
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

const noBody = new Uint8Array();

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
