/** One field's complaint inside a 422 or a 409. */
export interface StatusCause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The apiserver's error body. */
export interface StatusBody {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A refusal, in the words of the apiserver. Both the store and the REST layer throw it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;

  // biome-ignore lint/complexity/useMaxParams: in the order of the Status that the apiserver answers.
  constructor(code: number, reason: string, message: string, details?: StatusDetails, continueToken?: string) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continueToken = continueToken;
  }

  status(): StatusBody {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

/** `deployments.apps` taken apart into what `details` calls group and kind. */
function detailsOf(resource: string, name: string): StatusDetails {
  const dot = resource.indexOf('.');
  const kind = dot < 0 ? resource : resource.slice(0, dot);
  return {
    ...(name === '' ? {} : { name }),
    ...(dot < 0 ? {} : { group: resource.slice(dot + 1) }),
    kind,
  };
}

export function notFound(resource: string, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${resource} "${name}" not found`, detailsOf(resource, name));
}

export function alreadyExists(resource: string, name: string): ApiError {
  return new ApiError(409, 'AlreadyExists', `${resource} "${name}" already exists`, detailsOf(resource, name));
}

const MODIFIED_MESSAGE = 'the object has been modified; please apply your changes to the latest version and try again';

export function conflict(resource: string, name: string, why: string = MODIFIED_MESSAGE): ApiError {
  const message = `Operation cannot be fulfilled on ${resource} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, detailsOf(resource, name));
}

export function forbidden(resource: string, name: string, why: string, causes?: readonly StatusCause[]): ApiError {
  const what = name === '' ? `${resource} is forbidden` : `${resource} "${name}" is forbidden`;
  const details = { ...detailsOf(resource, name), ...(causes === undefined ? {} : { causes }) };
  return new ApiError(403, 'Forbidden', `${what}: ${why}`, details);
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

/** A write that names another object of the same name, in the words of the store behind the apiserver. */
export function otherUid(
  resource: string,
  namespace: string | undefined,
  name: string,
  { given, uid }: { readonly given: string; readonly uid: string },
): ApiError {
  const place = [resource.split('.')[0], namespace, name].filter((part) => part !== undefined).join('/');
  const precondition = `Precondition failed: UID in precondition: ${given}, UID in object meta: ${uid}`;
  const why = `StorageError: invalid object, Code: 4, Key: /registry/${place}, ResourceVersion: 0, AdditionalErrorMsg: ${precondition}`;
  return conflict(resource, name, why);
}

/** 422: the message lists every complaint, in brackets when there is more than one. */
export function invalid(kind: string, group: string, name: string, causes: readonly StatusCause[]): ApiError {
  const texts = causes.map((cause) => (cause.field === undefined ? cause.message : `${cause.field}: ${cause.message}`));
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const qualified = group === '' ? kind : `${kind}.${group}`;
  const details: StatusDetails = { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind, causes };
  return new ApiError(422, 'Invalid', `${qualified} "${name}" is invalid: ${list}`, details);
}

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError(410, 'Expired', message, undefined, continueToken);
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const list = accepted.join(', ');
  const message = `the body of the request was in an unknown format - accepted media types include: ${list}`;
  return new ApiError(415, 'UnsupportedMediaType', message);
}

export function notAcceptable(): ApiError {
  const available = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
  return new ApiError(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${available}`, {});
}

/** The router of the apiserver knows no route for the content type; it says no more than that. */
export function unroutableMediaType(): ApiError {
  return new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

export function methodNotAllowed(): ApiError {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiError(405, 'MethodNotAllowed', message, {});
}

/** A group and version that is served, and a resource in it that is not. */
export function unknownResource(): ApiError {
  return new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
}
