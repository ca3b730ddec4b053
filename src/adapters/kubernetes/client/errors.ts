/** The cluster answered, and the answer is a refusal. The message is the cluster's own. */
export class ApiStatusError extends Error {
  override readonly name = 'ApiStatusError';
  readonly status: number;
  /** `Conflict`, `NotFound`, `Expired`, …; empty when the answer was no Kubernetes Status. */
  readonly reason: string;
  readonly details: StatusDetails;
  readonly retryAfterSeconds?: number;

  constructor(answer: RefusedAnswer) {
    super(answer.message);
    this.status = answer.status;
    this.reason = answer.reason;
    this.details = answer.details;
    if (answer.retryAfterSeconds !== undefined) this.retryAfterSeconds = answer.retryAfterSeconds;
  }

  /** The version asked for is no longer kept: list anew. */
  get expired(): boolean {
    return this.status === 410 || this.reason === 'Expired' || this.reason === 'Gone';
  }
}

export interface RefusedAnswer {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly details: StatusDetails;
  readonly retryAfterSeconds?: number;
}

/** `details` of a Kubernetes Status, as far as the cluster filled it in. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  readonly retryAfterSeconds?: number;
}

/** No answer came: refused, reset, timed out. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /**
   * False only when the request surely did not reach the server (no connection came about). True is ambiguous: a write
   * may have been performed, so its caller must read and see.
   */
  readonly mayHaveReachedServer: boolean;

  constructor(message: string, options: { mayHaveReachedServer: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.mayHaveReachedServer = options.mayHaveReachedServer;
  }
}

const neverConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Whatever a transport rejected with, as a NoAnswer; ambiguous unless the cause proves that no connection came about. */
export function asNoAnswer(error: unknown, what: string): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new NoAnswer(`${what}: ${reason}`, { mayHaveReachedServer: !neverConnected.has(code), cause: error });
}

export function isNotFound(error: unknown): error is ApiStatusError {
  return error instanceof ApiStatusError && error.status === 404;
}

/** The object changed since it was read (409 `Conflict`); a creation of what exists is 409 `AlreadyExists`. */
export function isConflict(error: unknown): error is ApiStatusError {
  return error instanceof ApiStatusError && error.status === 409 && error.reason !== 'AlreadyExists';
}
