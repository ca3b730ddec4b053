import type { ClusterStatus } from './cluster-status.ts';
import type { Answer, FlatHeaders } from './listener.ts';
import { escapeHtml, type Page, pagePolicy, renderPage } from './page.ts';
import { satelliteHeader } from './page-script.ts';
import { type StandIn, type Wording, wordingOf } from './wording.ts';

/** What is the same for everybody until the status changes, made once. */
export interface Answers {
  page(origin: string): Answer;
  json(origin: string): Answer;
  /** For whoever asks about the pod itself. */
  readonly well: Answer;
}

export function answersFor(standIn: StandIn, status: ClusterStatus, now: number): Answers {
  const wording = wordingOf(standIn, status, now);
  const common = {
    'retry-after': String(wording.retryAfterSeconds),
    'cache-control': 'no-store',
    [satelliteHeader]: '1',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
  const pageHeaders = flat({
    ...common,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
    'cross-origin-opener-policy': 'same-origin',
  });
  const jsonHeaders = flat({
    ...common,
    'content-type': 'application/json',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  const page = renderPage(wording, status);
  const json = jsonParts(standIn, status, wording);
  const link = `${standIn.externalUrl}#/?origin=`;
  const linkInHtml = escapeHtml(link);
  return {
    page(origin) {
      // What `encodeURIComponent` leaves standing needs no escaping in an attribute but for the apostrophe.
      const body = pageText(page, linkInHtml, encodeURIComponent(origin).replaceAll("'", '%27'));
      // ASCII alone, so that its length is its size.
      return { status: 503, headers: pageHeaders, body, encoding: 'latin1' };
    },
    json(origin) {
      const body = `${json.before}${JSON.stringify(`${link}${encodeURIComponent(origin)}`)}${json.after}`;
      return { status: 503, headers: jsonHeaders, body, encoding: 'utf8' };
    },
    well,
  };
}

const well: Answer = {
  status: 200,
  headers: flat({ 'content-type': 'text/plain', 'cache-control': 'no-store' }),
  body: 'ok\n',
  encoding: 'latin1',
};

function flat(headers: Readonly<Record<string, string>>): FlatHeaders {
  return Object.entries(headers).flat();
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
    ...(wording.until === undefined ? {} : { expectedBack: wording.until }),
    ...(status.progress === undefined ? {} : { progress: status.progress }),
    retryAfterSeconds: wording.retryAfterSeconds,
  };
  return { before: `${JSON.stringify(body).slice(0, -1)},"wakeUrl":`, after: '}\n' };
}
