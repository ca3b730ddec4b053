import type { ClusterStatus } from './cluster-status.ts';
import { escapeHtml, type Page, pagePolicy, renderPage } from './page.ts';
import { satelliteHeader } from './page-script.ts';
import { type StandIn, type Wording, wordingOf } from './wording.ts';

/** Header names and values in turn, as Node takes them fastest. */
export type FlatHeaders = readonly string[];

/** What is the same for everybody until the status changes, made once. */
export interface Answers {
  readonly pageHeaders: FlatHeaders;
  readonly jsonHeaders: FlatHeaders;
  /** ASCII alone, so that its length is its size. */
  page(origin: string): string;
  json(origin: string): string;
}

const common = (retryAfterSeconds: number): FlatHeaders => [
  'retry-after',
  String(retryAfterSeconds),
  'cache-control',
  'no-store',
  satelliteHeader,
  '1',
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
];

export function answersFor(standIn: StandIn, status: ClusterStatus, now: number): Answers {
  const wording = wordingOf(standIn, status, now);
  const headers = common(wording.retryAfterSeconds);
  const page = renderPage(wording, status);
  const json = jsonParts(standIn, status, wording);
  const link = `${standIn.externalUrl}#/?origin=`;
  const linkInHtml = escapeHtml(link);
  return {
    pageHeaders: [
      ...headers,
      'content-type',
      'text/html; charset=utf-8',
      'content-security-policy',
      pagePolicy,
      'cross-origin-opener-policy',
      'same-origin',
    ],
    jsonHeaders: [
      ...headers,
      'content-type',
      'application/json',
      'content-security-policy',
      "default-src 'none'; frame-ancestors 'none'",
    ],
    // What `encodeURIComponent` leaves standing needs no escaping in an attribute but for the apostrophe.
    page: (origin) => pageText(page, linkInHtml, encodeURIComponent(origin).replaceAll("'", '%27')),
    json: (origin) => `${json.before}${JSON.stringify(`${link}${encodeURIComponent(origin)}`)}${json.after}`,
  };
}

function pageText({ before, after }: Page, link: string, origin: string): string {
  return `${before}${link}${origin}${after}`;
}

function jsonParts(
  { clusterName, namespace, service }: StandIn,
  status: ClusterStatus,
  wording: Wording,
): { readonly before: string; readonly after: string } {
  const body = {
    code: 'hibernated',
    message: wording.message,
    title: wording.title,
    cluster: clusterName,
    namespace,
    service,
    state: status.state,
    ...(status.nextChangeAt === undefined ? {} : { until: new Date(status.nextChangeAt).toISOString() }),
    ...(status.progress === undefined ? {} : { progress: status.progress }),
    retryAfterSeconds: wording.retryAfterSeconds,
  };
  return { before: `${JSON.stringify(body).slice(0, -1)},"wakeUrl":`, after: '}\n' };
}
