import type { EpochMs } from '../../domain/workload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';

/** What a pass gives back: when it wants to run again, if nothing else asks for it before. */
export interface PassResult {
  readonly requeueAt?: EpochMs;
}

/** One pass. The signal aborts when something has changed that may forbid what the pass is doing. */
type Pass = (signal: AbortSignal) => Promise<PassResult>;

/** What a loop drives. */
export interface Looped {
  readonly pass: Pass;
  /** The process stood still while others went on: what it knows is from before. Called ahead of the next pass. */
  readonly stoodStill: () => void;
}

export interface LoopOptions {
  /** Changes of the cluster come in bursts; passes that they ask for are at least this far apart. */
  readonly quietMs?: number;
  /** No timer is longer than this, so that a jump of the wall clock is noticed. */
  readonly longestTimerMs?: number;
  /** After a pass that failed: doubling from the first to the last. */
  readonly retryMs?: readonly [first: number, last: number];
}

/** A wall clock that moved this much against the monotonic one was set, not merely corrected by NTP. */
const jumpMs = 30_000;
/** A timer this late was no busy processor: the process was stopped. */
const lateMs = 30_000;

/**
 * Runs passes one at a time for reasons: something changed, somebody asked, a time has come. A pass that is needed while
 * one runs follows right after it.
 */
export class Loop {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #looped: Looped;
  readonly #options: Required<LoopOptions>;
  #cancelTimer: () => void = () => {};
  #running: AbortController | undefined;
  #wanted: 'soon' | 'now' | undefined;
  #requeueAt: EpochMs | undefined;
  /** When the timer that is set is to fire. */
  #dueAt: number | undefined;
  #lastStartedAt = Number.NEGATIVE_INFINITY;
  /** How far the wall clock was ahead of the steady one when the last pass began. */
  #wallOffset: number | undefined;
  #failures = 0;
  #stopped = true;
  #idle: Promise<void> = Promise.resolve();

  constructor(clock: Clock, logger: Logger, looped: Looped, options: LoopOptions = {}) {
    this.#clock = clock;
    this.#logger = logger;
    this.#looped = looped;
    this.#options = { quietMs: 1_000, longestTimerMs: 60_000, retryMs: [1_000, 60_000], ...options };
  }

  start(): void {
    this.#stopped = false;
    this.requeueNow();
  }

  /** Resolves when the pass under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    this.#running?.abort(new Error('the controller is stopping'));
    await this.#idle;
  }

  /** The cluster changed: a pass within the quiet time. */
  requeueSoon(): void {
    if (this.#wanted === undefined) this.#wanted = 'soon';
    this.#arm();
  }

  /** An intent, the configuration or the license changed: a pass at once, and the one under way stops where it is. */
  requeueNow(): void {
    this.#wanted = 'now';
    this.#running?.abort(new Error('something changed that this pass may not know of'));
    this.#arm();
  }

  #arm(): void {
    if (this.#stopped || this.#running !== undefined) return;
    this.#noticeStandstill();
    this.#cancelTimer();
    const delay = this.#delay();
    if (delay === undefined) return;
    const afterMs = Math.min(delay, this.#options.longestTimerMs);
    this.#dueAt = this.#clock.monotonic() + afterMs;
    this.#cancelTimer = this.#clock.after(afterMs, () => this.#tick());
  }

  /** Whatever comes first when the process goes on: the timer itself, or what asks for a pass before it. */
  #noticeStandstill(): void {
    const lateBy = this.#clock.monotonic() - (this.#dueAt ?? Number.POSITIVE_INFINITY);
    this.#dueAt = undefined;
    const wallJumped = this.#wallJumped();
    if (lateBy <= lateMs && !wallJumped) return;
    this.#logger.info('The process stood still, or the clock was set: everything is listed anew', {
      lateMs: Math.max(0, lateBy),
      wallJumped,
    });
    if (wallJumped) {
      // The next pass was timed by the old clock, so waiting for it could take hours too long.
      this.#wallOffset = undefined;
      this.#wanted = 'now';
    }
    this.#looped.stoodStill();
  }

  /** How long until the next pass is due; undefined when nothing asks for one. */
  #delay(): number | undefined {
    if (this.#wanted === 'now') return 0;
    const sinceLast = this.#clock.monotonic() - this.#lastStartedAt;
    const soon = this.#wanted === 'soon' ? Math.max(0, this.#options.quietMs - sinceLast) : Number.POSITIVE_INFINITY;
    const timed =
      this.#requeueAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, this.#requeueAt - this.#clock.now());
    const delay = Math.min(soon, timed);
    return Number.isFinite(delay) ? delay : undefined;
  }

  /** Somebody set the wall clock, or the machine slept: the monotonic clock of Linux does not count that. */
  #wallJumped(): boolean {
    if (this.#wallOffset === undefined) return false;
    return Math.abs(this.#clock.now() - this.#clock.monotonic() - this.#wallOffset) > jumpMs;
  }

  #tick(): void {
    if (this.#stopped || this.#running !== undefined) return;
    this.#noticeStandstill();
    const delay = this.#delay();
    if (delay === undefined) return;
    if (delay > 0) this.#arm();
    else this.#idle = this.#runOnce();
  }

  async #runOnce(): Promise<void> {
    const aborter = new AbortController();
    this.#running = aborter;
    this.#wanted = undefined;
    this.#lastStartedAt = this.#clock.monotonic();
    this.#wallOffset = this.#clock.now() - this.#lastStartedAt;
    try {
      const { requeueAt } = await this.#looped.pass(aborter.signal);
      this.#requeueAt = requeueAt;
      this.#failures = 0;
    } catch (error) {
      if (!aborter.signal.aborted) this.#requeueAt = this.#clock.now() + this.#retryDelay(error);
    }
    this.#running = undefined;
    this.#arm();
  }

  #retryDelay(error: unknown): number {
    const [first, last] = this.#options.retryMs;
    const delay = Math.min(last, first * 2 ** this.#failures++);
    this.#logger.error('A pass failed', { error: String(error), retryInMs: delay });
    return delay;
  }
}
