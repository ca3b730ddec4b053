import { sleep } from '../../../ports/clock.ts';
import { ApiStatusError } from '../client/errors.ts';
import type { SelectOptions } from '../client/request-options.ts';
import type { KubeObject } from '../client/resource-type.ts';
import { isAtLeast } from '../client/resource-version.ts';
import { backoffMs } from '../client/retry-policy.ts';
import { SilenceGuard } from '../client/silence-guard.ts';
import { endsInitialEvents, type KnownEvent, type WatchEvent } from '../client/watch-events.ts';
import type { ObjectMap } from './object-map.ts';
import { keyOf, type Listener, ReflectedObjects } from './reflected-objects.ts';
import type { ReflectorOptions } from './reflector-options.ts';
import { WatchPosition } from './watch-position.ts';
import { cannotStream, isForbidden, isOfApiserver, isPassing } from './watch-refusals.ts';

const defaultSilenceMs = 150_000;
/** A streaming list sends without pause; a server that goes quiet before its end does not know streaming lists. */
const initialSilenceMs = 15_000;
const shortestWatchSeconds = 300;
const firstDelayMs = 500;
const longestDelayMs = 30_000;
const absentKindDelayMs = 300_000;
/** A watch that ends this soon without an event is a failure, or it would be reopened in a hot loop. */
const tooShortMs = 1_000;
/** Refusals of one version in a row, after which the version itself is suspected (an apiserver restored from a backup). */
const refusalsBeforeRelist = 3;

/** Keeps a map of all objects of a kind as the cluster has them, and never stops trying until it is stopped. */
export class Reflector<T extends KubeObject, R> {
  readonly #options: ReflectorOptions<T, R>;
  readonly #objects: ReflectedObjects<R>;
  readonly #stop = new AbortController();
  /** The list or watch under way. */
  #attempt = new AbortController();
  #resolveSynced: (synced: boolean) => void = () => {};
  /** True once the first list is complete; false when the reflector was stopped before that. */
  readonly synced: Promise<boolean>;
  #isSynced = false;
  #started = false;
  readonly #position = new WatchPosition();
  #streaming: boolean;
  #failures = 0;
  #refusals = 0;
  /** Watches are not allowed: whatever there is to know has to be listed. */
  #watchForbidden = false;
  /** Lists are not allowed either. */
  #listForbidden = false;
  /** The last list in place of a watch was answered: what we have is at most half a minute old. */
  #listedInPlace = false;
  /** Nobody answered, or the apiserver had trouble of its own: the cluster behind the next answer may be one that was restored. */
  #doubted = false;
  #lastError: unknown;
  #wasReadable = true;

  constructor(options: ReflectorOptions<T, R>) {
    this.#options = options;
    this.#streaming = options.streamingList ?? true;
    this.#objects = new ReflectedObjects((error) => options.logger.error('A listener failed', this.#about(error)));
    this.synced = new Promise((resolve) => {
      this.#resolveSynced = resolve;
    });
  }

  get objects(): Omit<ObjectMap<R>, 'set' | 'delete' | 'clear'> {
    return this.#objects.map;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Why the last list or watch failed; undefined while all is well. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Why nothing is learned at the moment: the same, but for a watch that is not allowed where lists are. */
  get unreadable(): unknown {
    return this.#watchForbidden && this.#listedInPlace ? undefined : this.#lastError;
  }

  /** Hears of every difference from now on; the returned function ends it. */
  onChange(listener: Listener<R>): () => void {
    return this.#objects.listen(listener);
  }

  start(): this {
    if (!this.#started) void this.#run();
    this.#started = true;
    return this;
  }

  /**
   * What is known may be far behind the cluster: all of it is listed again. Where that is refused, it goes on from where it was; where it breaks
   * off half way it is tried again, as going on from there would show what is newer, and then what was before it.
   */
  renew(): void {
    if (!this.#started || this.#stop.signal.aborted) return;
    this.#position.renew();
    this.#attempt.abort(new Error('Everything is listed again.'));
  }

  /** Until it has listed everything, or could not. */
  get isRenewing(): boolean {
    return this.#position.isRenewing;
  }

  stop(): void {
    this.#stop.abort(new Error('The reflector was stopped.'));
    this.#attempt.abort(this.#stop.signal.reason);
    this.#objects.close();
    this.#resolveSynced(false);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let delayMs = 0;
      this.#attempt = new AbortController();
      try {
        await this.#listAndWatch();
      } catch (error) {
        this.#objects.abandonRelist();
        if (signal.aborted) return;
        if (!this.#attempt.signal.aborted) delayMs = this.#afterFailure(error);
      }
      if (delayMs > 0) await sleep(this.#options.clock, delayMs, this.#attempt.signal).catch(() => {});
    }
  }

  async #listAndWatch(): Promise<void> {
    const { at } = this.#position;
    if (this.#doubted && at !== undefined) await this.#checkVersion(at);
    if (this.#watchForbidden) await this.#listInPlaceOfWatch();
    else if (this.#position.at === undefined && !this.#streaming) await this.#relist();
    await this.#watch();
  }

  /** Where lists are not allowed either the watch is tried again all the same, from the last version. */
  async #listInPlaceOfWatch(): Promise<void> {
    try {
      await this.#relist();
      this.#listedInPlace = true;
      this.#noteReadable();
    } catch (error) {
      this.#listedInPlace = false;
      this.#objects.abandonRelist();
      if (!isForbidden(error)) throw error;
    }
  }

  /**
   * A cluster that was restored from a backup counts on from there. A watch from a version that it has not come to yet is
   * accepted and says nothing until it has, and never what else is different.
   */
  async #checkVersion(known: string): Promise<void> {
    const newest = await this.#newestVersion();
    this.#doubted = false;
    if (newest === undefined || newest === '' || isAtLeast(newest, known)) return;
    const { logger, type, onRestored } = this.#options;
    logger.warn('The cluster has gone back to an earlier version; everything is listed again', {
      resource: type.plural,
      known,
      newest,
    });
    this.#position.wentBack();
    onRestored?.();
  }

  /** Undefined where lists are not allowed; the watch may be. */
  async #newestVersion(): Promise<string | undefined> {
    const { client, type } = this.#options;
    const options = { ...this.#selection(), pageSize: 1, once: true, project: () => undefined };
    try {
      for await (const page of client.pages(type, { ...options, signal: this.#attempt.signal }))
        return page.resourceVersion;
    } catch (error) {
      if (!isForbidden(error) && !(error instanceof ApiStatusError && error.status === 404)) throw error;
    }
    return undefined;
  }

  async #relist(): Promise<void> {
    const { client, type, pageSize } = this.#options;
    const project = (object: T) => ({ ...keyOf(object), value: this.#projected(object) });
    const options = { ...this.#selection(), ...(pageSize === undefined ? {} : { pageSize }) };
    this.#objects.startRelist();
    let version = '';
    try {
      for await (const page of client.pages(type, { ...options, project, signal: this.#attempt.signal })) {
        for (const { namespace, name, value } of page.items) {
          if (value !== undefined) this.#put(namespace, name, value);
        }
        version = page.resourceVersion;
      }
    } catch (error) {
      this.#listForbidden = isForbidden(error);
      throw error;
    }
    this.#listForbidden = false;
    this.#listed(version);
  }

  #listed(version: string): void {
    if (this.#attempt.signal.aborted) return;
    this.#objects.finishRelist();
    this.#doubted = false;
    if (this.#position.listed(version).restored) this.#options.onRestored?.();
    this.#refusals = 0;
    if (this.#isSynced) return;
    this.#isSynced = true;
    this.#resolveSynced(true);
  }

  #put(namespace: string, name: string, value: R): void {
    this.#position.shown();
    this.#objects.put(namespace, name, value);
  }

  /** One watch, from its start to its end. */
  async #watch(): Promise<void> {
    const { client, type, clock, random, answered } = this.#options;
    const { at } = this.#position;
    const initial = at === undefined;
    const silence = new SilenceGuard(clock, this.#attempt.signal);
    try {
      const options = {
        ...this.#selection(),
        ...(initial ? { sendInitialEvents: true } : { resourceVersion: at }),
        timeoutSeconds: Math.round(shortestWatchSeconds * (1 + random.next())),
        signal: silence.signal,
      };
      const stream = await client.watchKnowing(type, options, answered);
      this.#watchForbidden = false;
      if (initial) this.#objects.startRelist();
      await this.#consume(stream, silence);
    } catch (error) {
      if (this.#attempt.signal.aborted) throw error;
      if (isForbidden(error)) this.#watchForbidden = true;
      if (initial && this.#position.at === undefined && cannotStream(error, silence.fired)) this.#streaming = false;
      else if (!silence.fired) throw error;
      // A silent connection was dead; going on from the last version loses nothing, if there still is such a version.
      else this.#doubted = true;
    } finally {
      silence.end();
    }
  }

  async #consume(stream: AsyncIterable<WatchEvent<T> | KnownEvent<R>>, silence: SilenceGuard): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    let inInitialEvents = this.#position.at === undefined;
    let events = 0;
    silence.allow(inInitialEvents ? initialSilenceMs : this.#silenceMs);
    this.#lastError = undefined;
    this.#noteReadable();
    for await (const event of stream) {
      events++;
      silence.heard();
      if (event.type === 'KNOWN') this.#takeKnown(event);
      else this.#take(event);
      if (inInitialEvents && this.#position.at !== undefined) {
        inInitialEvents = false;
        silence.allow(this.#silenceMs);
      }
    }
    if (inInitialEvents) throw new Error('The streaming list ended before it was complete.');
    if (events === 0 && clock.monotonic() - startedAt < tooShortMs) {
      throw new Error('The watch ended within a second and without an event.');
    }
    this.#failures = 0;
  }

  #takeKnown({ head, value }: KnownEvent<R>): void {
    this.#put(head.namespace, head.name, value);
    if (this.#position.at !== undefined) this.#wentOn(head.resourceVersion);
  }

  #take(event: WatchEvent<T>): void {
    const { namespace, name } = keyOf(event.object);
    if (event.type === 'DELETED') this.#objects.remove(namespace, name);
    else if (event.type !== 'BOOKMARK') {
      const value = this.#projected(event.object);
      if (value !== undefined) this.#put(namespace, name, value);
    }
    const version = event.object.metadata?.resourceVersion;
    if (this.#position.at !== undefined) this.#wentOn(version);
    else if (version && endsInitialEvents(event)) this.#listed(version);
  }

  #wentOn(version: string | undefined): void {
    if (version) this.#position.wentOn(version);
    this.#failures = 0;
    this.#refusals = 0;
  }

  /** One object that cannot be read must not hold up all the others: its last good form stays. */
  #projected(object: T): R | undefined {
    try {
      return this.#options.project(object);
    } catch (error) {
      this.#options.logger.error('An object could not be read and is passed over', {
        ...this.#about(error),
        ...keyOf(object),
      });
      return undefined;
    }
  }

  /** Notes the failure; returns how long to wait before the next try. */
  #afterFailure(error: unknown): number {
    const { random, logger } = this.#options;
    this.#lastError = error;
    this.#noteReadable();
    this.#failures++;
    this.#position.failed();
    if (!(error instanceof ApiStatusError) || isOfApiserver(error)) this.#doubted = true;
    if (error instanceof ApiStatusError) {
      const delayMs = this.#afterRefusal(error);
      if (delayMs !== undefined) return delayMs;
    }
    const askedFor = error instanceof ApiStatusError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const delayMs = Math.max(askedFor, backoffMs(this.#failures, random.next(), firstDelayMs, longestDelayMs));
    const about = { ...this.#about(error), delayMs, failures: this.#failures };
    // Once a failure is known it is noise.
    if (this.#failures === 1) logger.warn('A watch failed and will be tried again', about);
    else logger.debug('A watch failed and will be tried again', about);
    return delayMs;
  }

  /** Undefined where the ordinary pause is right. */
  #afterRefusal(error: ApiStatusError): number | undefined {
    if (this.#options.optional && error.status === 404) return this.#kindIsAbsent();
    if (error.status === 403) this.#goOnWithout();
    if (error.expired) return this.#afterExpiry();
    if (!isPassing(error) && ++this.#refusals >= refusalsBeforeRelist) this.#position.lose();
    return undefined;
  }

  /** 410 asks for a list at once; only when lists and 410s alternate is there a pause between them. */
  #afterExpiry(): number {
    this.#position.lose();
    return this.#failures === 1
      ? 0
      : backoffMs(this.#failures, this.#options.random.next(), firstDelayMs, longestDelayMs);
  }

  #kindIsAbsent(): number {
    this.#objects.startRelist();
    this.#listed('');
    this.#position.lose();
    this.#failures = 0;
    return absentKindDelayMs;
  }

  /**
   * A kind beside the ordinary ones that may neither be watched nor listed, because it was switched on by a reload and its right comes with the
   * chart: it counts as synced, so that it holds up no other. An object that is recorded and not seen is read by itself before it is
   * taken for gone, so its record stays.
   */
  #goOnWithout(): void {
    if (!this.#options.optional || !this.#listForbidden || this.#isSynced || this.#stop.signal.aborted) return;
    this.#isSynced = true;
    this.#resolveSynced(true);
  }

  #noteReadable(): void {
    const readable = this.unreadable === undefined;
    const again = readable && !this.#wasReadable;
    this.#wasReadable = readable;
    if (again) this.#options.onReadable?.();
  }

  get #silenceMs(): number {
    return this.#options.silenceMs ?? defaultSilenceMs;
  }

  #selection(): SelectOptions {
    const { namespace, labelSelector, fieldSelector } = this.#options;
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
  }

  #about(error: unknown) {
    return { resource: this.#options.type.plural, error: error instanceof Error ? error.message : String(error) };
  }
}
