import type { IncomingHttpHeaders } from 'node:http';
import { tokenHeader } from '../../platform/token-name.ts';

/**
 * What the API reads of a request; nothing else is passed on. So there is nothing to take out: no header that is about
 * the connection, about where the body ends or about who asks comes from a client.
 */
const readByTheApi = [
  'accept',
  'authorization',
  'content-digest',
  'content-type',
  'cookie',
  'if-none-match',
  'last-event-id',
  'origin',
  'sec-fetch-site',
  'signature',
  'signature-input',
  'user-agent',
] as const;

export function requestHeaders(
  headers: IncomingHttpHeaders,
  said: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of readByTheApi) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
    else if (value !== undefined) passed[name] = value.join(', ');
  }
  return Object.assign(passed, said);
}

/** Of the API's own answer, what is about the connection between it and us, or said to us alone. */
const ofOurConnection = new Set<string>(['connection', 'keep-alive', 'transfer-encoding', tokenHeader]);

export function answerHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !ofOurConnection.has(name)) passed[name] = value;
  }
  return passed;
}
