import type { Config } from '../../config/config.ts';
import type { Announcement } from '../../domain/announcement/announcement.ts';
import { hostDoesNotWake } from '../../domain/announcement/conditions.ts';
import { hostsTimedOut } from '../../domain/announcement/wake.ts';
import { formatDuration } from '../../domain/duration.ts';
import type { WaitedHost } from '../../domain/wake/verdict/wake-state.ts';
import type { EpochMs } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HostAnswer, HostingCluster, HostingClusters } from '../../ports/hosting-clusters.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Notifier } from '../../ports/notifier.ts';

export interface DependencyOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly notifier: Notifier;
  readonly hosts: HostingClusters;
  config(): Config;
}

/** `silent`: nothing is sent, and our sessions run out. So it is while we are stood down, unlicensed or in dry run. */
export type Demand = 'awake' | 'asleep' | 'silent';

interface Host {
  readonly entry: HostingCluster;
  readonly stopped: AbortController;
  readonly askedSince: EpochMs;
  cancel: () => void;
  /** Counts the questions: the answer to an earlier one no longer matters. */
  turn: number;
  failures: number;
  last: HostAnswer | undefined;
  /** The question that has no answer yet: it may be what opens a session there. */
  underWay: Promise<HostAnswer> | undefined;
  /** The session that we have there, as far as we were told. */
  session: string | undefined;
  /** We no longer want it: its answer says which session there is to end, and nothing else. */
  left: boolean;
  /** Sessions that were opened for an older version of this entry. Each is ended only after the new session is confirmed. */
  readonly replaces: { readonly entry: HostingCluster; readonly session: string }[];
  /** What was last said to be wrong with it. */
  lastTrouble: string | undefined;
  waitLogged: boolean;
  /** The wake has waited long enough. */
  waived: boolean;
}

const requestTimeoutMs = 10_000;
const recheckMs = 5_000;
/** Somebody has to correct a name, here or there. */
const notFoundMs = 60_000;
const longestRetryMs = 300_000;
/** An end that got no answer may still arrive. */
const lateEndMs = 60_000;
const endAttempts = 3;

/**
 * Keeps the hosting clusters awake while this one is: asks when it wakes, renews at half of the time that is left, ends
 * when it hibernates. It works beside the passes, which only tell it what is wanted and hear when a wake need not wait
 * any longer.
 */
export class ExternalDependencies {
  readonly #options: DependencyOptions;
  readonly #hosts = new Map<string, Host>();
  readonly #listeners = new Set<() => void>();
  /** Clusters with sessions that we may not know of, from a process before this one or from before a silence. */
  readonly #inherited = new Set<string>();
  #demand: Demand | undefined;
  #origins: readonly string[] = [];
  #stopped = false;

  constructor(options: DependencyOptions) {
    this.#options = options;
  }

  /** Hears that a host has answered. */
  onAnswer(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called on every pass. `origins`: on whose account we are awake, when it is not our own. */
  follow(demand: Demand, origins: readonly string[] = [this.#options.config().clusterName]): void {
    // The last pass may end after the stop: what it asked for would be renewed for as long as the process is there.
    if (this.#stopped) return;
    const before = this.#demand;
    this.#demand = demand;
    const others = origins.join('\n') !== this.#origins.join('\n');
    this.#origins = origins;
    const entries = new Map(this.#options.config().externalDependencies.map((entry) => [keyOf(entry), entry]));
    const kept = (key: string) => demand === 'awake' && entries.has(key);
    const left = [...this.#hosts].filter(([key]) => !kept(key));
    for (const [key, host] of left) this.#leave(key, host, demand !== 'silent');
    if (others) for (const host of this.#hosts.values()) this.#askAnew(host);
    const fresh = demand === 'awake' ? [...entries].filter(([key]) => !this.#hosts.has(key)) : [];
    for (const [key, entry] of fresh) {
      if (before === undefined || before === 'silent') this.#inherited.add(entry.cluster);
      this.#begin(key, entry);
    }
    // What was begun before a stand-down, or by a process before this one, and nobody has ended.
    if (demand === 'asleep' && (before === undefined || before === 'silent'))
      for (const entry of entries.values()) void this.#end(entry, endAttempts);
  }

  /**
   * The hosts that a wake which is about to begin waits for; none when it need not. It waits until what was asked for is up
   * there, not longer than the barrier, and not for a host that has refused. `since`: when it began to wait, if that was
   * before this process.
   */
  waitedHosts(barrierMs: number, since = Number.POSITIVE_INFINITY): readonly WaitedHost[] {
    const now = this.#options.clock.now();
    return this.#waitedFor()
      .map(({ entry, askedSince, lastTrouble }) => ({
        cluster: entry.cluster,
        until: Math.min(askedSince, since) + barrierMs,
        ...(lastTrouble === undefined ? {} : { why: lastTrouble }),
      }))
      .filter(({ until }) => until > now);
  }

  /** When to look again at hosts that a wake waits for, at the latest; an answer of theirs starts a pass earlier. */
  recheckAt(hosts: readonly WaitedHost[]): EpochMs {
    return Math.min(...hosts.map(({ until }) => until), this.#options.clock.now() + recheckMs);
  }

  /** Said once for each host that a wake waits for: a person who asked for it looks for the reason. */
  logWaiting(barrierMs: number): void {
    for (const host of this.#waitedFor()) {
      if (host.waitLogged) continue;
      host.waitLogged = true;
      this.#options.logger.info('The wake waits for a hosting cluster', {
        cluster: host.entry.cluster,
        until: new Date(host.askedSince + barrierMs).toISOString(),
        ...(host.lastTrouble === undefined ? {} : { why: host.lastTrouble }),
      });
    }
  }

  /** What is to be told once the wake goes on without them; `giveUp` says that it is. */
  timedOut(barrierMs: number): Announcement | undefined {
    const waiting = this.#waitedFor();
    if (waiting.length === 0) return undefined;
    const clusters = waiting.map(({ entry }) => entry.cluster);
    const since = Math.min(...waiting.map(({ askedSince }) => askedSince));
    return hostsTimedOut(clusters, barrierMs, since, this.#options.clock.now());
  }

  giveUp(): void {
    for (const host of this.#waitedFor()) host.waived = true;
  }

  #waitedFor(): readonly Host[] {
    return [...this.#hosts.values()].filter(({ last, waived }) => !waived && !isSettled(last));
  }

  stop(): void {
    this.#stopped = true;
    for (const [key, host] of this.#hosts) this.#leave(key, host, false);
  }

  #begin(key: string, entry: HostingCluster): void {
    const askedSince = this.#options.clock.now();
    const host: Host = {
      entry,
      stopped: new AbortController(),
      askedSince,
      cancel() {},
      turn: 0,
      failures: 0,
      last: undefined,
      underWay: undefined,
      session: undefined,
      left: false,
      replaces: [],
      lastTrouble: undefined,
      waitLogged: false,
      waived: false,
    };
    this.#hosts.set(key, host);
    this.#options.logger.info('A hosting cluster is asked to wake', { cluster: entry.cluster });
    void this.#ask(host);
  }

  /** Hosts hear at once on whose account we ask: a ring of clusters would otherwise keep itself awake. */
  #askAnew(host: Host): void {
    host.cancel();
    void this.#ask(host);
  }

  /**
   * Ends what we have there once the last question is answered. If the cluster is wanted again by then, under another entry
   * or after a wake, that is asked for first, and only what it does not hold is ended.
   */
  async #release(host: Host): Promise<void> {
    await host.underWay;
    const { entry, session, replaces } = host;
    const ours = [...replaces, ...(session === undefined ? [] : [{ entry, session }])];
    const successor = this.#hostOf(entry.cluster);
    if (successor !== undefined) {
      successor.replaces.push(...ours);
      if (successor.last?.outcome === 'awake') await this.#endReplaced(successor);
    } else if (ours.length === 0 || this.#inherited.delete(entry.cluster)) {
      await this.#end(entry, endAttempts);
    } else {
      await Promise.all(ours.map((one) => this.#end(one.entry, endAttempts, one.session)));
    }
  }

  /** The same resources under another address or key are the same session for the host: that one stays. */
  async #endReplaced(host: Host): Promise<void> {
    const held = host.session;
    const replaced = host.replaces.splice(0).filter(({ session }) => held !== undefined && session !== held);
    for (const { entry, session } of replaced) await this.#end(entry, 1, session);
  }

  #hostOf(cluster: string): Host | undefined {
    return [...this.#hosts.values()].find(({ entry }) => entry.cluster === cluster);
  }

  async #ask(host: Host): Promise<void> {
    const { hosts, clock } = this.#options;
    const turn = ++host.turn;
    host.underWay = this.#timed(host.stopped.signal, (signal) => hosts.wake(host.entry, this.#origins, signal));
    const answer = await host.underWay;
    if (host.stopped.signal.aborted || turn !== host.turn) return;
    host.underWay = undefined;
    if (answer.outcome === 'awake') host.session = answer.session;
    if (host.left) return;
    const settledBefore = isSettled(host.last);
    host.last = answer;
    host.failures = answer.outcome === 'awake' ? 0 : host.failures + 1;
    this.#report(host, answer);
    host.cancel = clock.after(nextAskMs(answer, host, clock.now()), () => void this.#ask(host));
    if (answer.outcome === 'awake') void this.#endReplaced(host);
    if (!settledBefore && isSettled(answer)) for (const listener of this.#listeners) listener();
  }

  #report(host: Host, answer: HostAnswer): void {
    const { logger } = this.#options;
    const { entry, failures } = host;
    const { cluster } = entry;
    const trouble = troubleOf(answer);
    const changed = trouble !== host.lastTrouble;
    host.lastTrouble = trouble;
    if (answer.outcome === 'awake' && trouble !== undefined) {
      if (changed) logger.warn('A hosting cluster was asked for what it does not have', { cluster, why: trouble });
    } else if (answer.outcome === 'awake') {
      logger.debug('A hosting cluster stays awake for us', {
        cluster,
        until: new Date(answer.expiresAt).toISOString(),
      });
    } else if (failures === 1) {
      logger.warn('A hosting cluster was asked to wake and does not', { cluster, why: answer.message });
    }
    this.#condition(cluster, trouble);
  }

  #condition(cluster: string, trouble: string | undefined): void {
    const { notifier, clock } = this.#options;
    notifier.condition(hostDoesNotWake(cluster, trouble, clock.now()), trouble !== undefined);
  }

  #leave(key: string, host: Host, tell: boolean): void {
    host.cancel();
    host.left = true;
    this.#hosts.delete(key);
    this.#condition(host.entry.cluster, undefined);
    if (tell) void this.#release(host);
    else host.stopped.abort(new Error('no longer wanted'));
  }

  /**
   * Tries a few times to end the session that is named, or all of ours; if no request gets through, it expires on its own.
   * A wake takes back what is not yet sent. What was sent may arrive after the wake's own request, so that is repeated.
   */
  async #end(entry: HostingCluster, attempts: number, session?: string): Promise<void> {
    const { hosts, logger, clock } = this.#options;
    const { cluster } = entry;
    const done = await this.#timed(new AbortController().signal, (signal) => hosts.end(entry, signal, session));
    const wanted = this.#hostOf(cluster);
    if (wanted !== undefined) this.#askAfterEnd(wanted, done);
    if (done === true) logger.info('A hosting cluster was told that it may sleep', { cluster });
    else if (attempts <= 1) logger.warn('A hosting cluster could not be told that it may sleep', { cluster });
    else {
      clock.after(recheckMs, () => {
        const silent = this.#demand === 'silent' || this.#stopped;
        if (!silent && this.#hostOf(cluster) === undefined) void this.#end(entry, attempts - 1, session);
      });
    }
  }

  #askAfterEnd(host: Host, done: boolean): void {
    this.#askAnew(host);
    if (done) return;
    this.#options.clock.after(lateEndMs, () => {
      if (!host.left) this.#askAnew(host);
    });
  }

  async #timed<T>(stopped: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = new AbortController();
    const cancel = this.#options.clock.after(requestTimeoutMs, () =>
      deadline.abort(new Error(`no answer within ${formatDuration(requestTimeoutMs)}`)),
    );
    try {
      return await run(AbortSignal.any([stopped, deadline.signal]));
    } finally {
      cancel();
    }
  }
}

/** A wake need not wait for it any longer. */
function isSettled(answer: HostAnswer | undefined): boolean {
  return answer?.outcome === 'refused' || (answer?.outcome === 'awake' && answer.ready);
}

function troubleOf(answer: HostAnswer): string | undefined {
  if (answer.outcome !== 'awake') return answer.message;
  return answer.notFound === undefined ? undefined : `it has nothing that is ${answer.notFound.join(', ')}`;
}

function nextAskMs(
  answer: HostAnswer,
  { failures, askedSince }: Pick<Host, 'failures' | 'askedSince'>,
  now: EpochMs,
): number {
  if (answer.outcome === 'awake') {
    // Nobody waits so long: what is not up by then may be broken for the day.
    const impatient = answer.notFound === undefined && now - askedSince < longestRetryMs;
    if (!answer.ready) return impatient ? recheckMs : notFoundMs;
    // The host's clock is not ours: never in a tight loop, never so late that it runs out.
    return Math.max(recheckMs, (answer.expiresAt - now) / 2);
  }
  const backOff = Math.min(longestRetryMs, recheckMs * 2 ** (failures - 1));
  return answer.outcome === 'refused' ? Math.max(backOff, Math.min(longestRetryMs, answer.retryAfterMs ?? 0)) : backOff;
}

function keyOf(entry: HostingCluster): string {
  return JSON.stringify(entry);
}
