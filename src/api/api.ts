import { openApiDocument } from '../contract/openapi.ts';
import { isLive } from '../domain/externalwake/session.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import { endedSessions } from '../state/access/ended-sessions.ts';
import { externalWakeSessions } from '../state/external-wake-sessions.ts';
import type { StateSnapshot } from '../state/snapshot.ts';
import { scalingHandlers } from './acts/scaling.ts';
import { standDownHandlers } from './acts/stand-down.ts';
import { auditHandlers } from './audit/routes.ts';
import { Brand } from './branding/branding.ts';
import type { Handlers } from './call/call.ts';
import type { ApiPorts } from './call/ports.ts';
import { type Rate, RateLimit } from './call/rate-limit.ts';
import { databaseHandlers } from './databases/routes.ts';
import { externalWakeHandlers } from './external-wake/routes.ts';
import { licenseHandlers } from './license/routes.ts';
import { type Deliveries, deliveriesIn } from './notifications/deliveries.ts';
import { notificationHandlers } from './notifications/routes.ts';
import { UrlReadiness } from './outbound/readiness.ts';
import { Outlooks } from './outlook/outlook.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { passkeyHandlers } from './passkeys/routes.ts';
import { reportOf } from './reports/features.ts';
import { reportHandlers } from './reports/routes.ts';
import { resourceHandlers } from './resources/routes.ts';
import { satelliteHandlers } from './satellites/routes.ts';
import { calendarFeedHandlers } from './schedule/calendar-feeds.ts';
import { scheduleHandlers } from './schedule/routes.ts';
import { apiProxies } from './server/client-address.ts';
import { Guard } from './server/guard.ts';
import { ApiMetrics } from './server/metrics.ts';
import { ApiServer, type RequestTimeouts } from './server/server.ts';
import { SharedAnswer } from './server/shared-answer.ts';
import { settingsHandlers } from './settings/routes.ts';
import { EndedSessionBook } from './sign-in/ended-session-book.ts';
import { Keys } from './sign-in/keys.ts';
import { ownPlace } from './sign-in/own-place.ts';
import { type PlaceOf, signInHandlers } from './sign-in/routes.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { Intents } from './state/intents.ts';
import { ManagedState } from './state/managed-state.ts';
import { off, statusHandlers } from './status/routes.ts';
import { StateNews } from './status/state-news.ts';
import { EventStreams, type StreamLimits, standardStreamLimits } from './stream/event-stream.ts';
import { StreamHub } from './stream/hub.ts';

export interface ApiSettings {
  /** `frontend.trustedProxies`. */
  readonly trustedProxies?: readonly string[];
  /** Requests of one client; benchmarks raise it. */
  readonly requestsPerMinute?: number;
  readonly streams?: StreamLimits;
  readonly requestTimeouts?: RequestTimeouts;
}

const requestsPerMinute = 3_000;
/** Without a trusted proxy everybody behind an ingress is one client, and so is a stranger there: five hundred a second. */
const requestsOfStrangersPerMinute = 30_000;
/** What is ended meanwhile cannot be kept: a value that cannot be decoded is never overwritten. */
const endedUnreadable =
  'Ended sessions cannot be restored; who signs out is signed out until the API restarts. Repair ended_sessions as docs/sign-in.md says';
/** A code is void after a restart, whoever gets its mail: a slow mail server must not keep the next process from its start. */
const afterAnswersMs = 10_000;
const reports: Rate = { count: 5, perMs: 5_000 };

export interface Api {
  readonly server: ApiServer;
  readonly hub: StreamHub;
  readonly metrics: ApiMetrics;
  readonly signIn: SignIn;
  /** Before anybody is let in: what has to be known of the time before. Never rejects. */
  prepare(): Promise<void>;
  start(): void;
  /** Ends the streams, lets requests under way go on, and does what was put off until after them. Takes at most so long. */
  stop(withinMs: number): Promise<void>;
}

/** Dashboards ask for these without a sign-in, and each goes through the books. */
function sharedReports({ clock, features }: ApiPorts): ApiPorts['features'] {
  const insights = new SharedAnswer(clock, reports, () => reportOf(features.insights));
  const costs = new SharedAnswer(clock, reports, () => reportOf(features.costs));
  return { ...features, insights: () => insights.get(), costs: () => costs.get() };
}

/** Resolves when it has run, or when the time is over. */
async function finishedWithin(clock: Clock, ms: number, run: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const inTime = sleep(clock, ms, over.signal).catch(() => {});
  await Promise.race([run(), inTime]).finally(() => over.abort());
}

/** Puts the API together. Throws for secrets and proxies that it must not start with. */
export function createApi(given: ApiPorts, settings: ApiSettings = {}): Api {
  const { clock, random, logger } = given;
  const ports: ApiPorts = { ...given, features: sharedReports(given) };
  const keys = new Keys(ports.secrets.jwt);
  const hub = new StreamHub(Buffer.from(random.bytes(6)).toString('base64url'), clock);
  const state = new ManagedState(ports.state, clock, logger);
  const metrics = new ApiMetrics({
    streams: () => hub.size,
    externalWakeSessions() {
      const sessions = state.last?.snapshot.read(externalWakeSessions);
      // Whose time is over stands in the state until it is pruned.
      return sessions?.ok ? sessions.value.filter((session) => isLive(session, clock.now())).length : undefined;
    },
  });
  let deliveries: Deliveries = [];
  const outlooks = new Outlooks(ports);
  const restoreEnded = (snapshot: StateSnapshot) => {
    const ended = snapshot.read(endedSessions);
    signIn.restoreEnded(ended.ok ? ended.value : undefined);
    if (!ended.ok) logger.warn(endedUnreadable, { error: ended.message });
  };
  const news = new StateNews(ports, state, outlooks, hub, restoreEnded);
  const intents = new Intents({ store: ports.state, state, clock, logger: ports.logger, onWritten: () => news.soon() });
  const ended = new EndedSessionBook(intents, clock, logger);
  const signIn = new SignIn({ ...ports, onEnded: (session) => ended.add(session) }, keys);
  const passkeys = new Passkeys({ ...ports, onSize: (bytes) => metrics.passkeyBytes.set(bytes) }, keys);
  const placeOf: PlaceOf = (call) => ownPlace(ports.config(), call.header('host'), call.header('x-forwarded-proto'));
  const readiness = new UrlReadiness(ports.outbound, clock, logger, ports.config);
  const brand = new Brand(ports.branding, logger);
  const document = openApiDocument(ports.version);

  const handlers: Handlers = {
    ...signInHandlers({
      signIn,
      random,
      placeOf,
      passkeyCount: async ({ address }) => ({
        enabled: passkeys.enabled,
        registered: passkeys.enabled ? (await passkeys.of(address.text).catch(() => [])).length : 0,
      }),
    }),
    ...passkeyHandlers({ ports, passkeys, signIn, intents, placeOf }),
    ...standDownHandlers(ports, intents),
    ...scalingHandlers(ports, intents, outlooks),
    ...statusHandlers(ports, state, outlooks, hub),
    ...scheduleHandlers(ports, state, intents, outlooks),
    ...calendarFeedHandlers({ ports, state, intents, outlooks, signIn, keys }),
    ...resourceHandlers(ports, state, outlooks, intents),
    ...databaseHandlers(ports, state),
    ...satelliteHandlers(ports, state, outlooks),
    ...auditHandlers(ports, state),
    ...settingsHandlers(ports, brand),
    ...licenseHandlers(state, outlooks),
    ...reportHandlers(ports),
    ...notificationHandlers(ports, () => deliveries),
    ...externalWakeHandlers(ports, state, intents),
    urlReadiness(call) {
      if (!ports.config().urlReadinessCheck.enabled) throw off('config.urlReadinessCheck.enabled');
      return readiness.check(call.query.url);
    },
    branding: () => brand.answer(passkeys.enabled),
    frames(call) {
      const { kind, payload } = call.body;
      // The controller sends the whole list each time, so the newest is all there is to keep.
      if (kind === 'deliveries') deliveries = deliveriesIn(payload);
      else hub.publish(kind, payload);
      return { streams: hub.size };
    },
    openapi: () => document as Record<string, unknown>,
  };
  const guard = new Guard({
    signIn,
    keys,
    internalSecret: ports.secrets.internalApi,
    externalWake: ports.features.externalWake,
  });
  const streams = new EventStreams(hub, signIn, clock, settings.streams ?? standardStreamLimits);
  const server = new ApiServer({
    ownNamespace: ports.ownNamespace,
    clock,
    logger,
    handlers,
    streams,
    guard,
    proxies: apiProxies(settings.trustedProxies ?? []),
    limits: {
      people: new RateLimit(clock, { count: settings.requestsPerMinute ?? requestsPerMinute, perMs: 60_000 }),
      strangers: new RateLimit(clock, {
        count: settings.requestsPerMinute ?? requestsOfStrangersPerMinute,
        perMs: 60_000,
      }),
    },
    metrics,
    ...(settings.requestTimeouts === undefined ? {} : { requestTimeouts: settings.requestTimeouts }),
    config: ports.config,
  });
  let stopKeeping = () => {};
  return {
    server,
    hub,
    metrics,
    signIn,
    async prepare() {
      try {
        restoreEnded((await state.read()).snapshot);
      } catch (error) {
        signIn.restoreEnded(undefined);
        logger.warn('Ended sessions cannot be restored yet', { error: String(error) });
      }
    },
    start() {
      stopKeeping = state.keepFresh(given.watchClock);
      news.start();
      void passkeys.measure();
    },
    async stop(withinMs) {
      stopKeeping();
      news.stop();
      hub.endAll();
      const closed = server.app.close();
      await finishedWithin(clock, withinMs, async () => {
        // Beside the requests that are under way, and once more for what they leave.
        await Promise.all([closed, ended.finish()]);
        const putOff = finishedWithin(clock, afterAnswersMs, () => server.finishAfterAnswers());
        await Promise.all([putOff, ended.finish()]);
      });
      ended.stop();
      const undone = server.afterAnswers;
      if (undone > 0) logger.warn('Stopped before mails and audit entries that follow answers were out', { undone });
    },
  };
}
