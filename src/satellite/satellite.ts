import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { type Answers, answersFor } from './answers.ts';
import type { askJson } from './ask-json.ts';
import { callerOf } from './caller.ts';
import { CallerCount } from './caller-count.ts';
import { type ClusterStatus, unknownStatus } from './cluster-status.ts';
import { type Answer, type Asked, type Listener, listen } from './listener.ts';
import { statusPath } from './page-script.ts';
import { StatusSource } from './status-source.ts';
import type { StandIn } from './wording.ts';

export interface SatelliteOptions extends StandIn {
  /** Every target port of the service; 0 picks a free one. */
  readonly ports: readonly number[];
  readonly statusUrl?: string;
  readonly host?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How the status is asked for; over HTTP unless a test says otherwise. */
  readonly ask?: typeof askJson;
}

export interface RunningSatellite {
  readonly ports: readonly number[];
  stop(): Promise<void>;
}

/** The words go stale with the clock alone (`Retry-After`), so they are made anew this often. */
const wordsAgeMs = 1_000;

/** Stands in for a hibernating service: a page for people, JSON for programs, never the service's own answers. */
export async function startSatellite(options: SatelliteOptions): Promise<RunningSatellite> {
  const { clock, logger } = options;
  let status: ClusterStatus = unknownStatus;
  let answers = answersFor(options, status, clock.now());
  let madeAt = clock.monotonic();
  const refresh = () => {
    answers = answersFor(options, status, clock.now());
    madeAt = clock.monotonic();
  };
  const source = new StatusSource({
    clock,
    logger,
    ...(options.statusUrl === undefined ? {} : { statusUrl: options.statusUrl }),
    ...(options.ask === undefined ? {} : { ask: options.ask }),
    onChange(changed) {
      status = changed;
      refresh();
    },
  });
  const count = new CallerCount(clock, logger);
  const respond = (request: Asked) => {
    if (clock.monotonic() - madeAt > wordsAgeMs) refresh();
    return answerTo(request, answers, source, count);
  };
  const listeners: Listener[] = [];
  for (const port of options.ports) listeners.push(await listen(respond, port, options.host));
  source.start();
  return {
    ports: listeners.map(({ port }) => port),
    async stop() {
      source.stop();
      count.stop();
      await Promise.all(listeners.map((listener) => listener.close()));
    },
  };
}

function answerTo(request: Asked, answers: Answers, source: StatusSource, count: CallerCount): Answer {
  const { target, headers } = request;
  const path = pathOf(target);
  if (path === statusPath) {
    source.wanted();
    return answers.json(originOf(request, '/'));
  }
  const caller = callerOf({ path, accept: headers.accept, userAgent: headers['user-agent'] });
  if (caller === 'load-balancer') return answers.well;
  if (caller !== 'probe') {
    source.wanted();
    count.add(caller);
  }
  const origin = originOf(request, target);
  return caller === 'person' ? answers.page(origin) : answers.json(origin);
}

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/**
 * The address to come back to. A forged header changes only the page of whoever forged it; the web app checks the
 * address before it sends anybody there.
 */
function originOf({ method, headers }: Asked, target: string): string {
  const proto = headers['x-forwarded-proto'];
  const scheme = proto !== undefined && /^https\b/i.test(proto) ? 'https' : 'http';
  const host = headers.host !== undefined && /^[\w.:[\]-]{1,260}$/.test(headers.host) ? headers.host : 'localhost';
  // Nobody can be sent back into a form that was posted.
  const path = target.startsWith('/') && (method === 'GET' || method === 'HEAD') ? target : '/';
  return `${scheme}://${host}${path}`;
}
