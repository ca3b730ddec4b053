import { isOff } from '../ports/off.ts';
import { StateConflict, StateUndecodable } from '../state/session/state-errors.ts';
import { StateSession } from '../state/session/state-session.ts';
import { AnnouncementDelivery } from './announcements/delivery.ts';
import { Loop, type LoopOptions, type PassResult } from './loop/loop.ts';
import { PassMemory } from './pass/memory.ts';
import type { ControllerPorts } from './pass/ports.ts';
import { type PassOptions, runPass } from './pass/run-pass.ts';
import { transition } from './transition/transition.ts';
import { ExternalDependencies } from './upkeep/external-dependencies.ts';

/** The pause after a pass that stopped at a state key it could not decode: only a person can mend the key. */
const undecodableMs = 30_000;
const conflictMs = 100;
/** How long passes wait at most for what is listed anew. */
const longestHoldMs = 15_000;
/** How long a stopping controller waits for announcements that are being delivered. */
const flushMs = 5_000;

/** The only one that scales anything: a loop of passes, and what they share. */
export class Controller {
  readonly #ports: ControllerPorts;
  readonly #loop: Loop;
  readonly #options: PassOptions;
  #unsubscribe: (() => void)[] = [];
  #transitionRuns = false;
  /** The cluster reported something during the pass that runs; it counts if that pass takes a transition up. */
  #statusHeard = false;
  #heldUntil = 0;
  #stopping = false;

  constructor(ports: ControllerPorts, options: LoopOptions = {}) {
    this.#ports = ports;
    const { clock, logger, hosts } = ports;
    const looped = { pass: (signal: AbortSignal) => this.#pass(signal), stoodStill: () => this.#renew() };
    this.#loop = new Loop(clock, logger, looped, options);
    this.#options = {
      ports,
      memory: new PassMemory(ports),
      delivery: new AnnouncementDelivery(ports, () => this.#loop.requeueSoon()),
      dependencies: isOff(hosts) ? undefined : new ExternalDependencies({ ...ports, hosts }),
    };
  }

  start(): void {
    const { view, state } = this.#ports;
    this.#unsubscribe = [
      state.onChange(() => this.#loop.requeueNow()),
      // What the cluster reports about a workload matters only while something waits for it.
      view.onChange((change) => {
        if (change === 'shape' || this.#transitionRuns) this.#loop.requeueSoon();
        else this.#statusHeard = true;
      }),
      this.#options.dependencies?.onAnswer(() => this.#loop.requeueNow()) ?? (() => {}),
    ];
    this.#loop.start();
  }

  /** `tells`: whether the state says what this process has told; that of another cluster does not know of it, and the next process tells it there. */
  async stop(tells: boolean): Promise<void> {
    this.#stopping = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#options.dependencies?.stop();
    await this.#loop.stop();
    if (tells) await this.#flushAnnouncements();
  }

  /** Stores which announcements were delivered, so that the next process does not deliver them again. */
  async #flushAnnouncements(): Promise<void> {
    const { delivery } = this.#options;
    await delivery.settle(flushMs);
    if (!delivery.unwritten) return;
    try {
      await delivery.sync(await StateSession.open(this.#ports.state));
    } catch (error) {
      this.#ports.logger.warn('What was told last could not be written down', { error: String(error) });
    }
  }

  /** The configuration or the license changed: what the pass under way stands on may no longer hold. */
  reconsider(): void {
    this.#loop.requeueNow();
  }

  /** Passes wait for what is listed anew, but not for a cluster that does not answer. */
  #renew(): void {
    const { clock, view } = this.#ports;
    view.renew();
    this.#heldUntil = clock.monotonic() + longestHoldMs;
  }

  async #pass(signal: AbortSignal): Promise<PassResult> {
    const { clock, metrics, view } = this.#ports;
    const held = view.renewing() && clock.monotonic() < this.#heldUntil;
    if (held || !view.synced()) return { requeueAt: clock.now() + conflictMs };
    const startedAt = clock.monotonic();
    const result = await this.#passGuarded(signal);
    metrics.passSeconds.observe((clock.monotonic() - startedAt) / 1000);
    return result;
  }

  /** Turns what a pass may run into, on the state, into a time to run again; anything else is a failed pass. */
  async #passGuarded(signal: AbortSignal): Promise<PassResult> {
    const { clock, logger, metrics } = this.#ports;
    try {
      const session = await this.#openState();
      // What was read last may be why it stops.
      if (this.#stopping) return {};
      const requeueAt = await this.#passOnce(session, signal);
      metrics.passes.inc({ result: 'completed' });
      metrics.lastPass.set(clock.now() / 1000);
      return requeueAt === undefined ? {} : { requeueAt };
    } catch (error) {
      if (error instanceof StateConflict) {
        metrics.passes.inc({ result: 'conflict' });
        logger.debug('The pass met a conflict and runs again', { why: error.message });
        return { requeueAt: clock.now() + conflictMs };
      }
      if (error instanceof StateUndecodable) {
        metrics.passes.inc({ result: 'undecodable' });
        return { requeueAt: clock.now() + undecodableMs };
      }
      metrics.passes.inc({ result: 'failed' });
      this.#options.memory.watchOutages.startAnew();
      throw error;
    }
  }

  async #openState(): Promise<StateSession> {
    try {
      return await StateSession.open(this.#ports.state);
    } catch (error) {
      this.#ports.metrics.stateReadable.set(0);
      throw new Error(`the state could not be read: ${String(error)}`);
    }
  }

  async #passOnce(session: StateSession, signal: AbortSignal): Promise<number | undefined> {
    this.#statusHeard = false;
    const requeueAt = await runPass(this.#options, session, signal);
    this.#transitionRuns = session.getOrEmpty(transition) !== null;
    if (this.#transitionRuns && this.#statusHeard) this.#loop.requeueSoon();
    return requeueAt;
  }
}
