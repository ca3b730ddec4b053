import type { TransportResponse } from '../../../ports/transport.ts';
import { ApiStatusError, type StatusDetails } from './errors.ts';

const longestQuotedBody = 500;

/** The error for an answer of 400 and more; a body that is no Kubernetes Status (a proxy's page) is quoted in short. */
export function statusError(
  response: Pick<TransportResponse, 'status' | 'headers'>,
  body: string,
  now: number,
): ApiStatusError {
  const status = parseStatus(body);
  const retryAfterSeconds =
    parseRetryAfter(response.headers['retry-after'], now) ?? numberOrUndefined(status?.details?.retryAfterSeconds);
  return new ApiStatusError({
    status: response.status,
    reason: status?.reason ?? '',
    message: status?.message || quoted(response.status, body),
    details: status?.details ?? {},
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** The error for the object of an ERROR event inside a watch. */
export function statusErrorOfEvent(object: unknown): ApiStatusError {
  const status = isRecord(object) ? (object as StatusBody) : {};
  const retryAfterSeconds = numberOrUndefined(status.details?.retryAfterSeconds);
  return new ApiStatusError({
    status: numberOrUndefined(status.code) ?? 500,
    reason: status.reason ?? '',
    message: status.message || 'The watch reported an error without a message.',
    details: status.details ?? {},
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Seconds to wait: the header holds a number of seconds or an HTTP date. */
function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header.trim());
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

interface StatusBody {
  readonly code?: unknown;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: StatusDetails;
}

function parseStatus(body: string): StatusBody | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return isRecord(parsed) && parsed['kind'] === 'Status' ? (parsed as StatusBody) : undefined;
  } catch {
    return undefined;
  }
}

function quoted(status: number, body: string): string {
  const text = body.trim().slice(0, longestQuotedBody);
  return text === '' ? `The cluster answered ${status} without a message.` : `The cluster answered ${status}: ${text}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
