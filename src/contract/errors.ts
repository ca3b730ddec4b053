export interface CatalogueEntry {
  readonly status: number;
  /** Where one code can come with a second status. */
  readonly orStatus?: number;
  readonly when: string;
}

/** Every error the API answers. The body is always `{code, message, details?}`. */
export const errorCatalogue = {
  invalid_request: { status: 400, when: 'The request breaks its schema; `details.field` names where.' },
  reason_contains_url: { status: 400, when: 'The stand-down reason contains a URL.' },
  reason_too_long: { status: 400, when: 'The stand-down reason has more than 50 characters.' },
  unauthenticated: { status: 401, when: 'No sign-in, or one that has ended.' },
  invalid_code: { status: 401, when: 'The one-time code is wrong or has expired.' },
  invalid_link: { status: 401, when: 'The sign-in link is wrong, spent, or was opened in another browser.' },
  passkey_refused: { status: 401, when: 'The passkey does not prove who it says.' },
  signature_invalid: { status: 401, when: 'The request of another cluster is not signed as it must be.' },
  forbidden: {
    status: 403,
    when: 'Signed in, but not an admin, or not of a listed domain; or not let in here at all.',
  },
  domain_not_allowed: { status: 403, when: 'The address is outside `config.auth.allowedEmailDomains`.' },
  smtp_disabled: { status: 403, when: 'Mail is off, so nobody can sign in.' },
  cross_site_request: { status: 403, when: "Another site's page sent a request that changes something." },
  not_found: { status: 404, when: 'There is no such thing.' },
  feature_disabled: { status: 404, when: 'The configuration has this feature off.' },
  method_not_allowed: { status: 405, when: 'The path exists, but not with this method.' },
  already_stood_down: { status: 409, when: 'An admin stand-down holds already.' },
  not_stood_down: { status: 409, when: 'No stand-down holds.' },
  stand_down_by_configuration: { status: 409, when: 'Only the configuration holds the stand-down.' },
  stood_down: { status: 409, when: 'A stand-down holds; `details.causes` lists each holding cause.' },
  unlicensed: { status: 409, when: 'The license verdict does not let the service act.' },
  nothing_to_wake: {
    status: 409,
    when: 'The workload is up, not wanted up, not ours to scale, or part of a wake that runs.',
  },
  state_conflict: { status: 409, when: 'The state kept changing under the request; nothing was changed.' },
  state_full: { status: 409, when: 'The state has no room left; nothing was changed.' },
  payload_too_large: { status: 413, when: 'The body is larger than the route takes.' },
  unsupported_media_type: { status: 415, when: 'The body is not application/json.' },
  too_many_attempts: { status: 429, when: 'Three wrong codes: the code and its link are spent.' },
  rate_limited: { status: 429, when: 'Too many requests; `Retry-After` says when to come again.' },
  quota_exceeded: { status: 429, when: 'An external wake beyond `config.externalWake.quotas`.' },
  read_failed: { status: 500, when: 'A read from the cluster failed on the wire.' },
  internal_error: { status: 500, when: 'Something went wrong here; the log has it.' },
  // The frontend answers this one in the API's place; it is the only one with two statuses.
  api_unavailable: {
    status: 502,
    orStatus: 504,
    when: 'The frontend cannot reach the API (502), or the API did not answer in time (504).',
  },
  overloaded: { status: 503, when: 'There is more to do than can be done now; `Retry-After` says when to come again.' },
  managed_state_unavailable: {
    status: 503,
    when: 'The managed state could not be read, or the value of a key cannot be decoded.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type ErrorCode = keyof typeof errorCatalogue;

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The message of an error that has nothing to add; an act that knows more gives its own. */
export const plainMessages: Partial<Readonly<Record<ErrorCode, string>>> = {
  unauthenticated: 'Sign in first.',
  invalid_code: 'The code is wrong or has expired.',
  invalid_link: 'The link is wrong, has expired, or was opened in another browser than the one that asked for it.',
  passkey_refused: 'The passkey was not accepted.',
  signature_invalid: 'The signature of the request is not good.',
  forbidden: 'Only an admin may do this.',
  smtp_disabled: 'SMTP is disabled',
  cross_site_request: 'The request came from another site.',
  not_found: 'There is nothing here.',
  state_conflict: 'The state kept changing while the request was decided; nothing was changed. Try again.',
  payload_too_large: 'The body is too large.',
  unsupported_media_type: 'The body must be JSON, with the content type application/json.',
  too_many_attempts: 'too many attempts',
  rate_limited: 'Too many requests; try again later.',
  internal_error: 'Something went wrong; the log of the API says what.',
};

/** The status of a code, and its second one where it has one. */
export function statusesOf(code: ErrorCode): readonly number[] {
  const { status, orStatus }: CatalogueEntry = errorCatalogue[code];
  return orStatus === undefined ? [status] : [status, orStatus];
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorCatalogue, text);
}
