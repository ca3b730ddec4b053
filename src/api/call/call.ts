import type { EndpointId } from '../../contract/endpoints.ts';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '../../contract/operations.ts';
import { Refusal } from './refusal.ts';
import type { User } from './user.ts';

/** One request, checked: the parts have the shapes of the contract, and the caller may call this. */
export interface Call<Id extends EndpointId = EndpointId> {
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly body: BodyOf<Id>;
  /** Absent on routes that need no sign-in. */
  readonly user?: User;
  /** The other cluster, on signed routes. */
  readonly cluster?: string;
  /** What sign-in limits count by. */
  readonly clientKey: string;
  readonly cookies: ReadonlyMap<string, string>;
  readonly header: (name: string) => string | undefined;
  /** Runs once the answer is out. */
  afterAnswer(run: () => Promise<void>): void;
  setHeader(name: string, value: string): void;
}

/** An answer that is not plain JSON with 200. */
export class RawAnswer {
  readonly contentType: string;
  readonly text: string;

  constructor(contentType: string, text: string) {
    this.contentType = contentType;
    this.text = text;
  }
}

type Handler<Id extends EndpointId> = (call: Call<Id>) => Promise<AnswerOf<Id> | RawAnswer> | AnswerOf<Id> | RawAnswer;

/** One handler a route; the event stream is served apart. */
export type Handlers = { readonly [Id in Exclude<EndpointId, 'events'>]: Handler<Id> };

export function signedIn(call: { readonly user?: User }): User {
  if (call.user === undefined) throw new Refusal('unauthenticated');
  return call.user;
}
