import { type ErrorBody, type ErrorCode, errorCatalogue, plainMessages } from '../../contract/errors.ts';

/** A request is answered with an error of the catalogue. Thrown anywhere below a route, turned into HTTP in one place. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string = plainMessages[code] ?? code,
    more: { readonly details?: Readonly<Record<string, unknown>>; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.details = more.details;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  get body(): ErrorBody {
    const { code, message, details } = this;
    return details === undefined ? { code, message } : { code, message, details };
  }
}

export function invalid(field: string, message: string): Refusal {
  const where = field === '' ? 'the body' : field;
  return new Refusal('invalid_request', `${where} ${message}.`, { details: { field } });
}
