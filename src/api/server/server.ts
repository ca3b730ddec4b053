import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Config } from '../../config/config.ts';
import { type Endpoint, type EndpointId, endpointIds, endpoints } from '../../contract/endpoints.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { operations } from '../../contract/operations.ts';
import { shownAddress } from '../../domain/address/privacy.ts';
import { ConnectionBudget } from '../../platform/connection-budget.ts';
import { isNamedBy } from '../../platform/entity-tag.ts';
import { limitKey } from '../../platform/limit-key.ts';
import { acceptedToken, tokenHeader, tokenHeaderText } from '../../platform/token-name.ts';
import type { TrustedProxies } from '../../platform/trusted-proxies.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { asUrgentAs, type Urgency } from '../../ports/urgency.ts';
import { type Handlers, RawAnswer } from '../call/call.ts';
import type { RateLimit } from '../call/rate-limit.ts';
import { invalid, Refusal } from '../call/refusal.ts';
import type { EventStreams } from '../stream/event-stream.ts';
import { corsHeaders, refuseCrossSite } from './cross-site.ts';
import type { Caller, Guard } from './guard.ts';
import type { ApiMetrics } from './metrics.ts';
import { RequestCall } from './request-call.ts';
import { newRequestState, type RequestState, runAfterAnswer } from './request-state.ts';
import { answerHeaders, securityHeaders } from './security-headers.ts';
import { asRefusal, connectionAnswer } from './thrown-to-refusal.ts';
import { withoutCompilers } from './without-compilers.ts';

export interface ServerOptions {
  /** The release namespace. */
  readonly ownNamespace: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly handlers: Handlers;
  readonly streams: EventStreams;
  readonly guard: Guard;
  readonly proxies: TrustedProxies;
  /** Requests of who is signed in, by person, and of who is not, by client. */
  readonly limits: { readonly people: RateLimit; readonly strangers: RateLimit };
  readonly metrics: ApiMetrics;
  readonly requestTimeouts?: RequestTimeouts;
  config(): Config;
}

/** How long a client may take to send its headers, and the whole of its request. */
export interface RequestTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
}

const standardTimeouts: RequestTimeouts = { headersMs: 20_000, requestMs: 30_000 };
/** More than the streams and the frontend's connections need; further ones would only cost memory. */
const mostConnections = 4_000;

/** The frontend keeps its connections busy or idle; whoever holds others here has come past it. */
const connectionRooms = { fresh: 400, begun: 400, idle: 1_200, answering: 600, isStream } as const;

function isStream({ url }: IncomingMessage): boolean {
  return url?.split('?', 1)[0] === endpoints.events.path;
}

/** Frames carry the progress of thousands of workloads; everybody else sends little. */
const bodyLimit = 64 * 1024;
const frameBodyLimit = 4 * 1024 * 1024;
const withEtag: ReadonlySet<EndpointId> = new Set([
  'hibernationStatus',
  'publicHibernationStatus',
  'openapi',
  'branding',
]);

/** One HTTP server over the route table: every route goes the same way in and the same way out. */
export class ApiServer {
  readonly app: FastifyInstance;
  readonly #options: ServerOptions;
  /** What goes on although its request is answered. */
  readonly #afterAnswers = new Set<Promise<unknown>>();
  readonly #texts = new WeakMap<object, { readonly text: string; readonly etag: string }>();

  constructor(options: ServerOptions) {
    this.#options = options;
    const { headersMs, requestMs } = options.requestTimeouts ?? standardTimeouts;
    this.app = fastify({
      logger: false,
      bodyLimit,
      routerOptions: { maxParamLength: 1100 },
      requestTimeout: requestMs,
      connectionTimeout: 0,
      keepAliveTimeout: 72_000,
      // Node looks for slow requests only so often, every 30 seconds unless told.
      http: { maxHeaderSize: 16_384, headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 4 },
      forceCloseConnections: 'idle',
      schemaController: withoutCompilers,
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
        this.#sendError(request, reply, error),
      clientErrorHandler: (error: Error, socket: Socket) => connectionAnswer(error, socket),
      exposeHeadRoutes: false,
    } as never) as unknown as FastifyInstance; // The options of the router are typed by version of HTTP; ours is HTTP/1.
    this.app.server.maxConnections = mostConnections;
    this.app.server.on('connection', new ConnectionBudget(connectionRooms).watch(this.app.server));
    // A field that every request has from the start: one added later would be a slower kind of object.
    this.app.decorateRequest('state');
    this.#hooks();
    this.#bodies();
    for (const id of endpointIds) this.#route(id);
  }

  /** How much of what follows answers is under way. */
  get afterAnswers(): number {
    return this.#afterAnswers.size;
  }

  /** Nobody waits for it but who stops: it was promised to people who have their answer. Never rejects. */
  async finishAfterAnswers(): Promise<void> {
    while (this.#afterAnswers.size > 0) await Promise.allSettled(this.#afterAnswers);
  }

  #hooks(): void {
    const { app } = this;
    // Hooks that are functions of callbacks: a promise more for every request would be a good part of its time.
    app.addHook('onRequest', (request, reply, done) => {
      this.#stateOf(request);
      reply.headers(answerHeaders(this.#options.config(), request.headers.host));
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#record(request, reply);
      const state = this.#stateOf(request);
      if (state.afterAnswer.length === 0) done();
      else void runAfterAnswer(state).then(() => done(), done);
    });
    app.setErrorHandler((error, request, reply) => this.#sendError(request, reply, error));
    app.setNotFoundHandler((request, reply) => this.#sendError(request, reply, notFound(request)));
  }

  /** Bodies stay bytes until their caller is let in; signed requests are judged by exactly these. */
  #bodies(): void {
    this.app.removeAllContentTypeParsers();
    this.app.addContentTypeParser(
      /^application\/json(\s*;.*)?$/i,
      { parseAs: 'buffer' },
      (request: FastifyRequest, body: Buffer, done: (error: null, body: unknown) => void) => {
        request.state.rawBody = body;
        done(null, undefined);
      },
    );
  }

  #route(id: EndpointId): void {
    const endpoint: Endpoint = endpoints[id];
    this.app.route({
      method: isReadWhole(endpoint) ? ['GET', 'HEAD'] : endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(id === 'frames' ? { bodyLimit: frameBodyLimit } : {}),
      onRequest: (request, reply, done) => {
        try {
          this.#enter(id, endpoint, request, reply);
          done();
        } catch (error) {
          done(error as Error);
        }
      },
      handler: async (request, reply) => this.#answer(id, endpoint, request, reply),
    });
  }

  /** Before the body is read: limits, and requests that another site made a browser send. */
  #enter(id: EndpointId, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): void {
    const { config, guard } = this.#options;
    const { state } = request;
    state.route = id;
    if (endpoint.cors === true) reply.headers(corsHeaders(config(), request.headers.origin));
    // Everything but a signature can be judged without the body: strangers do not get to send one.
    const { caller, refusal } = endpoint.auth === 'signature' ? {} : guard.admit(endpoint.auth, request.headers);
    // A flood of those who are not let in is counted too, so they hear of it later.
    state.caller = caller;
    const { user } = caller ?? {};
    if (user !== undefined) reply.header(tokenHeader, tokenHeaderText({ token: acceptedToken, ...user.holder }));
    if (endpoint.auth !== 'internal') {
      const waitMs = this.#take(id, request);
      if (waitMs > 0) throw new Refusal('rate_limited', undefined, { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    }
    if (endpoint.method !== 'GET' && endpoint.auth !== 'internal') {
      const { host, origin, 'sec-fetch-site': fetchSite } = request.headers;
      refuseCrossSite(config(), { host, origin, fetchSite: fetchSite as string | undefined });
    }
    if (refusal !== undefined) throw refusal;
  }

  /** Behind an ingress strangers share an address with everybody: who is signed in is counted by name, and a stand-down apart. */
  #take(id: EndpointId, request: FastifyRequest): number {
    const { people, strangers } = this.#options.limits;
    const { user } = request.state.caller ?? {};
    if (user === undefined) return strangers.take(this.#clientKey(request));
    const apart = id === 'standDown' || id === 'endStandDown';
    return people.take(`${apart ? 'stand-down' : 'requests'} of ${user.address.text}`);
  }

  async #answer(id: EndpointId, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { guard, handlers, streams } = this.#options;
    const caller =
      endpoint.auth === 'signature' ? await guard.admitCluster(this.#signed(request)) : (request.state.caller ?? {});
    if (id === 'events') {
      const { user } = caller;
      if (user === undefined) throw new Refusal('unauthenticated');
      streams.admit(user);
      const lastEventId = request.headers['last-event-id'];
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'x-accel-buffering': 'no',
      });
      streams.serve(user, typeof lastEventId === 'string' ? lastEventId : undefined, reply.raw);
      return reply;
    }
    const handler = handlers[id] as (call: unknown) => unknown;
    const call = new RequestCall(operations[id], request, reply, caller, this.#clientKey(request));
    const answer = asUrgentAs(urgencyOf(endpoint, caller), () => handler(call));
    return this.#send(id, request, reply, await answer);
  }

  #send(id: EndpointId, request: FastifyRequest, reply: FastifyReply, answer: unknown): FastifyReply {
    if (answer instanceof RawAnswer) return reply.type(answer.contentType).send(answer.text);
    reply.type('application/json; charset=utf-8');
    if (!withEtag.has(id)) return reply.send(JSON.stringify(answer));
    const { text, etag } = this.#tagged(answer as object);
    reply.header('etag', etag);
    return isNamedBy(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(text);
  }

  /** An answer that is given again is written out once. */
  #tagged(answer: object): { readonly text: string; readonly etag: string } {
    const known = this.#texts.get(answer);
    if (known !== undefined) return known;
    const text = JSON.stringify(answer);
    const { now, ...lasting } = answer as { readonly now?: unknown };
    const tagged = now === undefined ? text : JSON.stringify(lasting);
    const tag = `"${createHash('sha1').update(tagged).digest('base64url')}"`;
    // That time has passed is no news; two answers that differ in nothing else are the same, weakly.
    const made = { text, etag: now === undefined ? tag : `W/${tag}` };
    this.#texts.set(answer, made);
    return made;
  }

  #signed(request: FastifyRequest) {
    const { method, url, headers } = request;
    return { method, target: url, headers, rawBody: request.state.rawBody };
  }

  #clientKey(request: FastifyRequest): string {
    const { state } = request;
    state.clientKey ??= limitKey(this.#client(request));
    return state.clientKey;
  }

  #client(request: FastifyRequest): string {
    const forwarded = request.headers['x-forwarded-for'];
    const text = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    return this.#options.proxies.client(request.socket.remoteAddress ?? '', text);
  }

  #sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    const refusal = brokenOff(request) ? invalid('', 'was broken off before its end') : asRefusal(error);
    const state = this.#stateOf(request);
    state.errorCode = refusal.code;
    if (refusal.code === 'internal_error') {
      const stack = error instanceof Error ? error.stack : String(error);
      this.#options.logger.error('A request failed', { route: state.route, error: stack });
    }
    if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
    if (refusal.code === 'method_not_allowed') reply.header('allow', String(refusal.details?.['allow'] ?? ''));
    reply.headers(securityHeaders);
    void reply
      .code(refusal.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(this.#bodyFor(request, refusal)));
  }

  /** Where the state is that has to be repaired; nobody but who is signed in is told. */
  #bodyFor(request: FastifyRequest, { code, body }: Refusal): ErrorBody {
    const repair = code === 'managed_state_unavailable' && body.details?.['key'] !== undefined;
    if (!repair || request.state.caller?.user === undefined) return body;
    return { ...body, details: { ...body.details, namespace: this.#options.ownNamespace } };
  }

  /** Counted, and logged where that is wanted. */
  #record(request: FastifyRequest, reply: FastifyReply): void {
    const { metrics, clock, logger, config } = this.#options;
    const { route, startedAt, errorCode, caller } = this.#stateOf(request);
    const user = caller?.user?.address.text;
    const seconds = (clock.monotonic() - startedAt) / 1000;
    metrics.count(route, request.method, reply.statusCode, errorCode);
    if (route !== 'events') metrics.seconds.observe(seconds);
    const { operations: settings, auth } = config();
    if (settings.enableApiAccessLogs) {
      logger.info('Request', {
        route,
        method: request.method,
        status: reply.statusCode,
        seconds: Number(seconds.toFixed(4)),
        client: this.#client(request),
        ...(user === undefined ? {} : { user: shownAddress(user, auth.privacy) }),
        ...(errorCode === undefined ? {} : { code: errorCode }),
      });
    }
  }

  /** A request that fastify itself refuses comes here without having passed the hooks. */
  #stateOf(request: FastifyRequest): RequestState {
    request.state ??= newRequestState(this.#options.clock.monotonic(), this.#afterAnswers);
    return request.state;
  }
}

/** What it needs of the cluster waits in this line, where there is one: nobody from outside stands before an admin. */
function urgencyOf({ auth }: Endpoint, { user, cluster }: Caller): Urgency {
  const rank = user?.holder.rank;
  if (auth === 'internal' || cluster !== undefined || rank === 'admin') return 'first';
  return rank === 'company' ? 'person' : 'stranger';
}

/** A read can be had without its body; a stream has no end that could be left out. */
function isReadWhole({ method, stream }: Endpoint): boolean {
  return method === 'GET' && stream !== true;
}

/** The client went away while it sent its body: nobody is left to be answered, and nothing failed here. */
function brokenOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

const patterns = endpointIds.map((id) => ({
  methods: isReadWhole(endpoints[id]) ? ['GET', 'HEAD'] : [endpoints[id].method],
  path: new RegExp(`^${endpoints[id].path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** A path that exists with another method is 405 and says which. */
function notFound(request: FastifyRequest): Refusal {
  const path = request.url.split('?')[0] ?? '';
  const allow = patterns.filter(({ path: pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
  if (allow.length === 0) return new Refusal('not_found');
  const list = allow.join(', ');
  return new Refusal('method_not_allowed', `This path takes ${list}.`, { details: { allow: list } });
}
