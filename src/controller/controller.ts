import { stateFull } from '../domain/announcement/conditions.ts';
import type { Trigger } from '../domain/announcement/hibernation.ts';
import type { DesiredState } from '../domain/desired/desired-state.ts';
import { originsOf } from '../domain/externalwake/session.ts';
import { scheduleAt } from '../domain/schedule/schedule.ts';
import { handbackActor } from '../domain/standdown/causes.ts';
import { type StandDownState, standDownActor } from '../domain/standdown/state.ts';
import { isOff } from '../ports/off.ts';
import type { CompiledConfig } from '../service/compiled-config.ts';
import { decidingState, desiredNow } from '../service/desired.ts';
import { externalWakeSessions } from '../state/external-wake-sessions.ts';
import { ignoredResources } from '../state/ignored-resources.ts';
import { undecodableKeys } from '../state/keys.ts';
import { manualHibernation } from '../state/manual-hibernation.ts';
import { phase } from '../state/phase.ts';
import { resourceStates } from '../state/resource-states.ts';
import { scheduleOverrides } from '../state/schedule-overrides.ts';
import { StateConflict, StateFull, StateUndecodable } from '../state/session/state-errors.ts';
import { StateSession } from '../state/session/state-session.ts';
import { stateSize } from '../state/size.ts';
import { set, setIfReadable } from '../state/snapshot.ts';
import { standDown } from '../state/stand-down.ts';
import { ActBackoff } from './act/act-backoff.ts';
import { Fence } from './act/fence.ts';
import { Life } from './act/life.ts';
import { driveDown } from './hibernate/drive-down.ts';
import { Loop, type LoopOptions, type PassResult } from './loop.ts';
import { sayStateSize, sayStateUndecodable } from './notifications/alerts.ts';
import { sayParameterSize } from './notifications/parameter-size.ts';
import { PassConditions } from './notifications/pass-conditions.ts';
import { RecordMismatch } from './notifications/record-mismatch.ts';
import { ReplicaChanges } from './notifications/replica-changes.ts';
import { earliest, type LookAt, lookAround, type PassContext } from './pass/pass-context.ts';
import { planFrame } from './pass/plan.ts';
import { heldBy, unreadableName } from './pass/unreadable.ts';
import type { ControllerPorts } from './ports.ts';
import { LicenseGatekeeper } from './stops/license.ts';
import { endedBy, finishHandback, keepStandDown, reopenHandback, settleEnd } from './stops/stand-down.ts';
import { announce, type Telling } from './tell/announce.ts';
import { AnnouncementDelivery } from './tell/delivery.ts';
import { isWaiting, transition } from './transition.ts';
import { adoptLostRecords } from './upkeep/adopt-lost-records.ts';
import { ExternalDependencies, type Wish } from './upkeep/external-dependencies.ts';
import { expireExternalSessions } from './upkeep/external-sessions.ts';
import { ScopeByDay } from './upkeep/scope-by-day.ts';
import { setAsideTransition } from './upkeep/set-aside-transition.ts';
import { bringUpUnrecorded, type DrivenUp, driveUp } from './wake/drive-up.ts';
import { showWaiting } from './wake/host-wait.ts';
import { ResumePace } from './wake/resume-pace.ts';
import { WatchPatience } from './wake/wake-sight.ts';

/** How long a pass waits before it looks again at something that only a person can mend. */
const unreadableMs = 30_000;
const handbackRetryMs = 30_000;
const conflictMs = 100;
/** So long a controller that stops waits for what is being told. */
const lastWordsMs = 5_000;

/** The only one that scales anything: gathers, asks `desiredState`, and drives the cluster there. */
export class Controller {
  readonly #ports: ControllerPorts;
  readonly #loop: Loop;
  readonly #gatekeeper: LicenseGatekeeper;
  readonly #dependencies: ExternalDependencies | undefined;
  /** Transitions that this process has worked on; any other was begun by one before it. */
  readonly #driven = new Set<string>();
  readonly #startedAt: number;
  readonly #resumePace = new ResumePace();
  readonly #recordMismatch = new RecordMismatch();
  readonly #replicaChanges = new ReplicaChanges();
  readonly #scopeByDay = new ScopeByDay();
  readonly #conditions: PassConditions;
  readonly #delivery: AnnouncementDelivery;
  readonly #watchPatience = new WatchPatience();
  readonly #backoff: ActBackoff;
  readonly #life = new Life();
  #unsubscribe: (() => void)[] = [];
  #passes = 0;
  /** What has been said of the keys that cannot be decoded. */
  #undecodable: ReadonlySet<string> = new Set();
  #transitionRuns = false;
  /** The cluster reported something during the pass that runs; it counts if that pass takes a transition up. */
  #statusHeard = false;

  constructor(ports: ControllerPorts, options: LoopOptions = {}) {
    this.#ports = ports;
    this.#gatekeeper = new LicenseGatekeeper(ports);
    this.#backoff = new ActBackoff(ports.clock, ports.logger);
    const { hosts } = ports;
    this.#dependencies = isOff(hosts) ? undefined : new ExternalDependencies({ ...ports, hosts });
    this.#startedAt = ports.clock.now();
    this.#loop = new Loop(ports.clock, ports.logger, (signal) => this.#pass(signal), options);
    this.#conditions = new PassConditions(ports.notifier);
    this.#delivery = new AnnouncementDelivery(ports, () => this.#loop.soon());
  }

  start(): void {
    const { view, state } = this.#ports;
    this.#unsubscribe = [
      state.onChange(() => this.#loop.now()),
      // What the cluster reports about a workload matters only while something waits for it.
      view.onChange((change) => {
        if (change === 'shape' || this.#transitionRuns) this.#loop.soon();
        else this.#statusHeard = true;
      }),
      this.#dependencies?.onAnswer(() => this.#loop.now()) ?? (() => {}),
    ];
    this.#loop.start();
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#dependencies?.stop();
    await this.#loop.stop();
    await this.#lastWords();
  }

  /** What has been told is written down, so that the next process does not tell it again. */
  async #lastWords(): Promise<void> {
    await this.#delivery.settle(lastWordsMs);
    if (!this.#delivery.unwritten) return;
    try {
      await this.#delivery.record(await StateSession.open(this.#ports.state));
    } catch (error) {
      this.#ports.logger.warn('What was told last could not be written down', { error: String(error) });
    }
  }

  /** The configuration or the licence changed: what the pass under way stands on may no longer hold. */
  reconsider(): void {
    this.#loop.now();
  }

  async #pass(signal: AbortSignal): Promise<PassResult> {
    const { clock, metrics, view } = this.#ports;
    if (!view.synced()) return { nextAt: clock.now() + conflictMs };
    const startedAt = clock.monotonic();
    const result = await this.#passGuarded(signal);
    metrics.passSeconds.observe((clock.monotonic() - startedAt) / 1000);
    return result;
  }

  /** Turns what a pass may run into, on the state, into a time to look again; anything else is a failed pass. */
  async #passGuarded(signal: AbortSignal): Promise<PassResult> {
    const { clock, logger, metrics } = this.#ports;
    try {
      const lookAt = await this.#passOnce(await this.#openState(), signal);
      metrics.passes.inc({ result: 'completed' });
      metrics.lastPass.set(clock.now() / 1000);
      this.#passes++;
      return lookAt === undefined ? {} : { nextAt: lookAt };
    } catch (error) {
      if (error instanceof StateConflict) {
        metrics.passes.inc({ result: 'look-again' });
        logger.debug('The pass looks again', { why: error.message });
        return { nextAt: clock.now() + conflictMs };
      }
      if (error instanceof StateUndecodable) {
        metrics.passes.inc({ result: 'undecodable' });
        return { nextAt: clock.now() + unreadableMs };
      }
      metrics.passes.inc({ result: 'failed' });
      this.#watchPatience.startAnew();
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

  async #passOnce(session: StateSession, signal: AbortSignal): Promise<LookAt> {
    this.#statusHeard = false;
    this.#sayUndecodable(session);
    const ports = this.#ports;
    const compiled = ports.compiled();
    const telling: Telling = { ports, session, delivery: this.#delivery };
    this.#conditions.passBegins();
    // What happened before is told before: a stand-down may have come since.
    await this.#delivery.record(session);
    const license = await this.#gatekeeper.check(telling);
    const kept = await keepStandDown(telling, license);
    const nextExpiry = await expireExternalSessions(telling);
    await adoptLostRecords(telling, compiled);
    const stood = await reopenHandback(ports, session, kept);
    // A stand-down that the state has no room for holds all the same.
    const state = { ...decidingState(session.snapshot, (codec) => session.getOrEmpty(codec)), standDown: stood };
    const desired = desiredNow(state, compiled, license, ports.clock.now());
    const context: PassContext = {
      ...telling,
      compiled,
      desired,
      trigger: this.#trigger(session, stood, desired, compiled),
      signal,
      resumePace: this.#resumePace,
      watchPatience: this.#watchPatience,
      backoff: this.#backoff,
      life: this.#life,
      fence: new Fence(ports.state, session, ports.clock),
      conditions: this.#conditions,
      replicaChanges: this.#replicaChanges,
    };
    await this.#recordMismatch.look(context, () => lookAround(context));
    if (desired.wanted !== 'hibernated') this.#replicaChanges.over();
    if (desired.wanted !== 'awake') this.#scopeByDay.forget();
    const lookAt = await this.#drive(context);
    if (!signal.aborted) this.#conditions.passEnded();
    await this.#afterPass(context);
    this.#transitionRuns = session.getOrEmpty(transition) !== null;
    if (this.#transitionRuns && this.#statusHeard) this.#loop.soon();
    this.#measure(session, session.getOrEmpty(standDown), desired);
    const backstop = ports.clock.now() + compiled.reconcileMs;
    return earliest(lookAt, desired.nextChangeAt, nextExpiry, backstop);
  }

  /** Each key that cannot be decoded is named: in the log when it becomes so, as a condition while it is so. */
  #sayUndecodable({ snapshot }: StateSession): void {
    const { metrics, notifier, logger, clock } = this.#ports;
    const problems = undecodableKeys(snapshot);
    metrics.stateReadable.set(problems.length === 0 ? 1 : 0);
    sayStateUndecodable(notifier, problems, clock.now());
    for (const error of problems) {
      if (this.#undecodable.has(error)) continue;
      logger.error('A value of the state cannot be decoded: what stands on it waits until it is repaired', { error });
    }
    this.#undecodable = new Set(problems);
  }

  /** The books stand on several keys; they wait for the one that cannot be decoded, and hold up nothing. */
  async #afterPass(context: PassContext): Promise<void> {
    try {
      await this.#ports.afterPass?.(context);
    } catch (error) {
      if (!(error instanceof StateUndecodable)) throw error;
    }
  }

  async #drive(context: PassContext): Promise<LookAt> {
    const { desired, session, ports } = context;
    const held = heldBy(desired.wanted, session);
    if (held.length > 0) {
      ports.logger.debug('Nothing is scaled until a key of the state is repaired', { wanted: desired.wanted, held });
      return ports.clock.now() + unreadableMs;
    }
    this.#dependencies?.follow(wishFor(desired), this.#origins(desired, session));
    if (!desired.acting && desired.wanted !== 'nothing') {
      ports.frames.send(await planFrame(context));
      return undefined;
    }
    switch (desired.wanted) {
      case 'nothing':
        return session.getOrEmpty(transition) === null ? undefined : this.#watchHandback(context);
      case 'handback':
        return this.#handBack(context);
      case 'awake': {
        if (!(await setAsideTransition(context))) return ports.clock.now() + unreadableMs;
        const waitUntil = await this.#waitForHosts(context);
        if (waitUntil !== undefined) return waitUntil;
        const { lookAt } = await this.#driveUp(context);
        await settleEnd(session);
        await this.#noteIgnored(context);
        return earliest(lookAt, await this.#scopeByDay.look(context));
      }
      case 'hibernated':
        return this.#hibernate(context);
    }
  }

  /** On whose account the cluster is awake: its own, or that of the clusters whose sessions alone keep it so. */
  #origins({ external }: DesiredState, session: StateSession): readonly string[] {
    const { clock, config } = this.#ports;
    return external ? originsOf(session.getOrEmpty(externalWakeSessions), clock.now()) : [config().clusterName];
  }

  /** A wake that is about to begin waits for the hosting clusters, as long as for any tier. */
  async #waitForHosts(context: PassContext): Promise<LookAt> {
    const { session, compiled } = context;
    const running = session.get(transition);
    const waiting = isWaiting(running);
    const begins = waiting || (running === null && session.getOrEmpty(phase)?.phase === 'hibernated');
    if (!begins || this.#dependencies === undefined) return undefined;
    const since = waiting ? running.startedAt : undefined;
    const hosts = this.#dependencies.waitedHosts(compiled.wakeBarrierMs, since);
    if (hosts.length > 0) {
      this.#dependencies.sayWaiting(compiled.wakeBarrierMs);
      await showWaiting(context, hosts, this.#driven);
      return this.#dependencies.lookAgainAt(hosts);
    }
    const timedOut = this.#dependencies.timedOut(compiled.wakeBarrierMs);
    if (timedOut === undefined) return undefined;
    await announce(context, [timedOut], []);
    this.#dependencies.giveUp();
    return undefined;
  }

  async #hibernate(context: PassContext): Promise<LookAt> {
    const { ports, session } = context;
    try {
      const lookAt = await driveDown(context, this.#driven);
      await settleEnd(session);
      await this.#noteIgnored(context);
      return lookAt;
    } catch (error) {
      if (!(error instanceof StateFull)) throw error;
      // Nothing more can be recorded, so nothing more is taken down.
      this.#tellFull(error);
      return ports.clock.now() + unreadableMs;
    }
  }

  /** Waking is never held up by a full state: without room for its record everything comes up at once. */
  async #driveUp(context: PassContext): Promise<DrivenUp> {
    try {
      return await driveUp(context, this.#driven);
    } catch (error) {
      if (!(error instanceof StateFull)) throw error;
      this.#tellFull(error);
      return bringUpUnrecorded(context);
    }
  }

  #tellFull(error: StateFull): void {
    const { logger, clock } = this.#ports;
    logger.error('The state is full: nothing more is hibernated', { error: error.message });
    this.#conditions.holds(stateFull(error.message, clock.now()));
  }

  /**
   * A workload is handed back when its recorded count is: whether its pods come up is what the wake that still runs tells,
   * and a workload that crashes would otherwise keep the handback open for good.
   */
  async #handBack(context: PassContext): Promise<LookAt> {
    const { ports, session } = context;
    if (session.getOrEmpty(manualHibernation) !== null) await session.write(set(manualHibernation, null));
    await setAsideTransition(context);
    const { lookAt, pending: down } = await this.#driveUp(context);
    if (context.signal.aborted) return lookAt;
    // A stop that cannot be read cannot be noted as finished.
    const pending = session.read(standDown).ok ? down : [...down, unreadableName(standDown.key)];
    if (pending.length > 0) {
      ports.logger.warn('Handback not finished, retrying on the next pass', { pending });
      return earliest(lookAt, ports.clock.now() + handbackRetryMs);
    }
    ports.logger.info('Handback finished: everything that was scaled down is back');
    await finishHandback(ports, session);
    return lookAt;
  }

  /** Everything is handed back; the wake that did it goes on until it has a verdict about each workload. */
  async #watchHandback(context: PassContext): Promise<LookAt> {
    const { lookAt } = await this.#driveUp({ ...context, desired: { ...context.desired, wanted: 'handback' } });
    return lookAt;
  }

  /** In whose name a transition that starts now is recorded. */
  #trigger(session: StateSession, stood: StandDownState, desired: DesiredState, compiled: CompiledConfig): Trigger {
    const actor = standDownActor(stood);
    if (actor !== undefined) return { actor: handbackActor(actor), cause: 'stand-down' };
    if (desired.causes.includes('license')) return { actor: 'license', cause: 'license' };
    const ended = endedBy(stood);
    if (ended !== undefined) return { actor: ended, cause: 'stand-down ended' };
    const { code, actor: person } = desired.reason;
    if (person !== undefined) return { actor: person, cause: code };
    const edge = scheduleAt(compiled.schedule(session.getOrEmpty(scheduleOverrides)), this.#ports.clock.now());
    const missed =
      this.#passes === 0 &&
      session.getOrEmpty(phase) !== null &&
      (edge.since ?? Number.POSITIVE_INFINITY) < this.#startedAt;
    return { actor: 'schedule', cause: missed ? 'catch-up' : code };
  }

  /** What is left alone, and why; written only when it changed. */
  async #noteIgnored(context: PassContext): Promise<void> {
    const ignored = lookAround(context).workloads.flatMap(({ workload, skipped }) => {
      if (skipped === undefined) return [];
      const { kind, namespace, name } = workload;
      return [{ kind, namespace, name, reason: skipped.text }];
    });
    await context.session.writeIfRoom('ordinary', setIfReadable(ignoredResources, ignored));
  }

  #measure(session: StateSession, stood: StandDownState, desired: DesiredState): void {
    const { metrics } = this.#ports;
    metrics.acting.set(desired.causes.length === 0 ? 1 : 0);
    metrics.hibernated.set(session.getOrEmpty(phase)?.phase === 'hibernated' ? 1 : 0);
    metrics.standDown.set({ source: 'admin' }, stood.admin === undefined ? 0 : 1);
    metrics.standDown.set({ source: 'configuration' }, stood.configuration === undefined ? 0 : 1);
    metrics.recordedWorkloads.set(session.getOrEmpty(resourceStates).length);
    const { bytes } = stateSize(session.snapshot.data);
    metrics.stateBytes.set(bytes);
    const { notifier, clock, config } = this.#ports;
    sayStateSize(notifier, bytes, clock.now());
    sayParameterSize(notifier, session.snapshot, config(), clock.now());
  }
}

/** What hosting clusters are asked for: nothing while we are not scaling ourselves. */
function wishFor({ wanted, acting }: DesiredState): Wish {
  if (!acting || wanted === 'handback' || wanted === 'nothing') return 'silent';
  return wanted === 'awake' ? 'awake' : 'asleep';
}
