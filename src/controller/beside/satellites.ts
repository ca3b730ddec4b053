import type { Config } from '../../config/config.ts';
import type { Announcement } from '../../domain/announcement/announcement.ts';
import { redirectEnded } from '../../domain/announcement/redirect.ts';
import { decideRedirect, type RedirectRecord, type RedirectStep } from '../../domain/redirect/decide-redirect.ts';
import { pointsAtSatellite, satelliteRef } from '../../domain/redirect/marks.ts';
import { satelliteWanted, serviceUnreadable } from '../../domain/redirect/night.ts';
import { isSatelliteStep, whyRefused } from '../../domain/redirect/refused-step.ts';
import { type SatelliteSettings, satelliteManifest } from '../../domain/redirect/satellite-manifest.ts';
import { type Service, type ServiceRef, serviceKey } from '../../domain/redirect/service.ts';
import { isScalable } from '../../domain/workload.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { Services } from '../../ports/services.ts';
import { satellites } from '../../state/satellites.ts';
import { StateConflict } from '../../state/session/state-errors.ts';
import { set } from '../../state/snapshot.ts';
import { inParallel } from '../act/pool.ts';
import { announce } from '../announcements/announce.ts';
import { now, type RequeueAt } from '../loop/requeue.ts';
import type { AsleepCompanion, Companion, CompanionStep } from './companion.ts';
import { LeftOutServices } from './left-out-services.ts';
import { mayLandMs, RedirectSearch } from './redirect-search.ts';
import { RefusedSteps } from './refused-steps.ts';
import {
  type Direction,
  redirectInputOf,
  type SatelliteSnapshot,
  satelliteSnapshotOf,
  servesWhatIsUp,
  serviceBehind,
} from './satellite-snapshot.ts';
import { ToldOnce } from './told-once.ts';

export interface SatellitesOptions {
  readonly services: Services;
  /** Undefined when the installation has no satellite image: nothing is redirected then, and what was is restored. */
  settings(config: Config): SatelliteSettings | undefined;
}

interface RedirectPlan {
  readonly redirect: readonly string[];
  readonly notRedirected: readonly { readonly service: string; readonly reason: string }[];
}

/** A Service under work: as it was last read or written, and whether this look is done with it. */
interface Subject {
  readonly ref: ServiceRef;
  service: Service | undefined;
  /** Somebody else wrote it, or nobody knows: it is read before it is decided on. */
  stale: boolean;
  rest: boolean;
}

/** Record, satellite, redirect, and the three steps back: none takes more. A few more are for conflicts. */
const mostRounds = 8;
/** In a quiet night, Services are looked at again this often. */
const recheckMs = 5 * 60_000;
const unsettled = { text: '', at: Number.NEGATIVE_INFINITY };
const withoutImage =
  'the controller was started without the image of satellites; helm upgrade with config.serviceRedirection starts it with one';

/** Points the named Services at satellites while what stands behind them sleeps, and back. */
export class Satellites implements Companion {
  readonly name = 'satellites';
  readonly #options: SatellitesOptions;
  /** The circumstances under which the last look left nothing to do, and when that was. */
  #settled = unsettled;
  /** What a dry run said last, under which circumstances, and when. */
  #planned: { readonly text: string; readonly at: number; readonly plan: RedirectPlan } | undefined;
  readonly #redirectSearch = new RedirectSearch();
  readonly #warned = new ToldOnce();
  readonly #leftOut = new LeftOutServices();
  readonly #refused = new RefusedSteps();
  /** By Service: of which version a redirect was sent that nobody answered, and when. */
  readonly #unanswered = new Map<string, { readonly of: string; readonly at: number }>();

  constructor(options: SatellitesOptions) {
    this.#options = options;
  }

  async sleep(context: CompanionStep): Promise<AsleepCompanion> {
    const { clock } = context;
    const around = satelliteSnapshotOf(context, this.#options.settings(context.compiled.config));
    this.#logWithoutImage(context, around);
    if (around.named.size === 0 && this.#isAllBack(context)) return { awaited: [] };
    const at = clock.monotonic();
    const nextAt = Math.min(this.#settled.at + recheckMs, this.#refused.retryAt ?? Number.POSITIVE_INFINITY);
    if (at >= nextAt || this.#redirectSearch.isDue(at) || fingerprint(context, around) !== this.#settled.text) {
      // What was settled before is no longer, even where this look ends halfway and the next finds the same circumstances.
      this.#settled = unsettled;
      const awaited = await this.#settle(context, 'sleep');
      if (awaited.length > 0) return { awaited };
      const after = satelliteSnapshotOf(context, this.#options.settings(context.compiled.config));
      this.#settled = { text: fingerprint(context, after), at: clock.monotonic() };
    }
    const { retryAt } = this.#refused;
    return { awaited: [], retryAt: retryAt === undefined ? undefined : now(context) + retryAt - clock.monotonic() };
  }

  async wake(context: CompanionStep): Promise<readonly string[]> {
    this.#settled = unsettled;
    this.#leftOut.nightIsOver();
    this.#refused.clear();
    if (this.#isAllBack(context)) return [];
    return this.#settle(context, 'wake');
  }

  /** Whatever still points at a satellite now keeps its callers from pods that are up. */
  async lastCall(context: CompanionStep, of: 'all' | 'part'): Promise<readonly string[]> {
    if (this.#isAllBack(context)) return [];
    const towards = of === 'all' ? 'end' : 'sleep';
    const subjects = await this.#subjects(context, towards);
    await this.#work(context, towards, subjects);
    const around = satelliteSnapshotOf(context, this.#options.settings(context.compiled.config));
    const missed = ({ ref, service }: Subject) => of === 'all' || servesWhatIsUp(around, ref, service);
    return subjects
      .filter(({ service, stale }) => stale || (service !== undefined && pointsAtSatellite(service)))
      .filter(missed)
      .map(({ ref }) => serviceKey(ref));
  }

  /** Services are read again only when something around them has changed, or as often as in a quiet night. */
  async plan(context: CompanionStep): Promise<Readonly<Record<string, unknown>>> {
    if (context.desired.wanted !== 'hibernated') return { redirect: [], notRedirected: [] };
    const around = satelliteSnapshotOf(context, this.#options.settings(context.compiled.config));
    const text = fingerprint(context, around);
    const at = context.clock.monotonic();
    const known = this.#planned;
    if (known !== undefined && known.text === text && at - known.at < recheckMs) return { ...known.plan };
    const plan = await this.#look(context, around);
    this.#planned = { text, at, plan };
    return { ...plan };
  }

  async #look({ compiled: { config } }: CompanionStep, around: SatelliteSnapshot): Promise<RedirectPlan> {
    const { settings } = around;
    const { enabled, services } = config.serviceRedirection;
    const redirect: string[] = [];
    const notRedirected: { readonly service: string; readonly reason: string }[] = [];
    for (const ref of enabled ? services : []) {
      const service = serviceKey(ref);
      const reason = settings === undefined ? withoutImage : await this.#whyNot(around, ref);
      if (reason === undefined) redirect.push(service);
      else notRedirected.push({ service, reason });
    }
    return { redirect, notRedirected };
  }

  async #whyNot(around: SatelliteSnapshot, ref: ServiceRef): Promise<string | undefined> {
    try {
      const wanted = satelliteWanted(around, ref, await this.#options.services.read(ref));
      return wanted.wanted ? undefined : wanted.reason;
    } catch (error) {
      return serviceUnreadable(error);
    }
  }

  async #settle(context: CompanionStep, towards: Direction): Promise<readonly string[]> {
    const subjects = await this.#subjects(context, towards);
    await this.#work(context, towards, subjects);
    const left = this.#decide(context, towards, subjects).filter(({ subject, step }) => {
      if (this.#rests(context, subject, step)) return false;
      if (subject.stale || step.act !== 'none') return true;
      // What only a person can mend is named where it is missed, and not waited for in the night.
      return !step.settled && !(step.warn && towards === 'sleep');
    });
    return left.map(({ subject }) => `satellite ${serviceKey(subject.ref)}`);
  }

  async #work(context: CompanionStep, towards: Direction, subjects: readonly Subject[]): Promise<void> {
    for (let round = 0; round < mostRounds && !context.signal.aborted; round++) {
      await this.#read(context, subjects);
      const steps = this.#decide(context, towards, subjects).filter(
        ({ subject, step }) =>
          !subject.rest && !subject.stale && step.act !== 'none' && !this.#waits(context, subject, step),
      );
      if (steps.length === 0) break;
      await this.#applyToState(context, steps);
      context.fence.begin();
      let overtaken = false;
      await inParallel(
        steps.filter(({ step }) => step.act !== 'record' && step.act !== 'drop-record'),
        context.compiled.config.controller.maxConcurrentOperations,
        context.signal,
        async ({ subject, step }) => {
          if (await context.fence.holds()) await this.#apply(context, subject, step);
          else overtaken = true;
        },
      );
      // Not before the others have come to their end: what becomes of them has to be known.
      if (overtaken) throw new StateConflict('conflict', 'time has passed by what was to be done to services');
    }
  }

  /** What the records, the configuration and, once in a process, the marks in the cluster name. */
  async #subjects(context: CompanionStep, towards: Direction): Promise<readonly Subject[]> {
    const around = satelliteSnapshotOf(context, this.#options.settings(context.compiled.config));
    const found = new Map<string, Subject>();
    const add = (ref: ServiceRef, service?: Service) => {
      const { namespace, name } = ref;
      const stale = service === undefined;
      found.set(serviceKey(ref), { ref: { namespace, name }, service, stale, rest: false });
    };
    for (const record of around.records.values()) add(record);
    if (towards === 'sleep') {
      const { services } = context.compiled.config.serviceRedirection;
      for (const ref of services) if (around.named.has(serviceKey(ref))) add(ref);
    }
    for (const ref of strays(context)) add(ref);
    for (const service of await this.#search(context)) add(service, service);
    return [...found.values()];
  }

  #isAllBack(context: CompanionStep): boolean {
    if (context.session.get(satellites).length > 0 || strays(context).length > 0) return false;
    return !this.#redirectSearch.isDue(context.clock.monotonic());
  }

  dueAt({ clock }: Pick<CompanionStep, 'clock'>): RequeueAt {
    const ms = this.#redirectSearch.inMs(clock.monotonic());
    // What is due already is done by the next pass that comes so far.
    return ms === undefined || ms === 0 ? undefined : clock.now() + ms;
  }

  async #search(context: CompanionStep): Promise<readonly Service[]> {
    const at = context.clock.monotonic();
    try {
      const found = await this.#options.services.redirected();
      this.#redirectSearch.searched(at);
      return found;
    } catch (error) {
      context.logger.warn('Redirected services cannot be searched for', { error: String(error) });
      return [];
    }
  }

  async #read(context: CompanionStep, subjects: readonly Subject[]): Promise<void> {
    const limit = context.compiled.config.controller.maxConcurrentOperations;
    const stale = subjects.filter((subject) => subject.stale && !subject.rest);
    await inParallel(stale, limit, context.signal, async (subject) => {
      try {
        subject.service = await this.#options.services.read(subject.ref);
        subject.stale = false;
      } catch (error) {
        subject.rest = true;
        this.#warnOnce(context, subject.ref, serviceUnreadable(error));
      }
    });
  }

  #decide(context: CompanionStep, towards: Direction, subjects: readonly Subject[]) {
    const around = satelliteSnapshotOf(context, this.#options.settings(context.compiled.config));
    return subjects.map((subject) => {
      if (towards === 'sleep' && !subject.stale) this.#logLeftOut(context, around, subject);
      const step = decideRedirect(redirectInputOf(context, around, towards, subject));
      if (step.act === 'none' && step.warn) this.#warnOnce(context, subject.ref, step.reason);
      return { subject, step };
    });
  }

  /** All records of a round in one write, before anything that stands on them. */
  async #applyToState(
    context: CompanionStep,
    steps: readonly { readonly subject: Subject; readonly step: RedirectStep }[],
  ): Promise<void> {
    const records = new Map(context.session.get(satellites).map((record) => [serviceKey(record), record]));
    const ended: Announcement[] = [];
    for (const { subject, step } of steps) {
      const key = serviceKey(subject.ref);
      if (step.act === 'record') records.set(key, step.record);
      if (step.act !== 'drop-record' || !(await this.#satelliteIsGone(context, subject))) continue;
      const record = records.get(key);
      if (record !== undefined) ended.push(redirectEnded(record, step.reason, now(context)));
      records.delete(key);
    }
    const sorted = [...records.values()].toSorted(byKey);
    const growing = steps.some(({ step }) => step.act === 'record');
    await announce(context, ended, [set(satellites, sorted)], growing ? 'ordinary' : 'reserve');
  }

  /** Read past the caches: a satellite that was made a moment ago may not be in them yet. */
  async #satelliteIsGone(context: CompanionStep, subject: Subject): Promise<boolean> {
    try {
      const found = await context.writer.read({ kind: 'Deployment', ...satelliteRef(subject.ref) });
      if (found === undefined) return true;
    } catch (error) {
      context.logger.debug('A satellite cannot be read', { error: String(error) });
    }
    subject.rest = true;
    return false;
  }

  async #apply(context: CompanionStep, subject: Subject, step: RedirectStep): Promise<void> {
    if (step.act === 'create-satellite' || step.act === 'remove-satellite')
      await this.#applyToSatellite(context, subject, step);
    else await this.#applyToService(context, subject, step);
  }

  async #applyToSatellite(context: CompanionStep, subject: Subject, step: RedirectStep): Promise<void> {
    const { services, settings: settingsOf } = this.#options;
    const { service, ref } = subject;
    // The caches hear of it a little later, and ask for the next pass.
    subject.rest = true;
    const settings = settingsOf(context.compiled.config);
    if (step.act === 'remove-satellite') {
      const satellite = satelliteRef(ref);
      const uid = context.snapshot.workload({ kind: 'Deployment', ...satellite })?.uid;
      if (uid === undefined) return;
      this.#logOutcome(context, subject, step, await services.removeSatellite(satellite, uid));
    } else if (service !== undefined && settings !== undefined) {
      this.#logOutcome(context, subject, step, await services.createSatellite(satelliteManifest(service, settings)));
    }
  }

  async #applyToService(context: CompanionStep, subject: Subject, step: RedirectStep): Promise<void> {
    const { services } = this.#options;
    const { service } = subject;
    if (service === undefined) return;
    const write =
      step.act === 'restore'
        ? await services.restore(service, step.selector)
        : step.act === 'redirect'
          ? await services.redirect(service)
          : await services.disown(service);
    if (write.outcome === 'done') subject.service = write.service;
    else subject.stale = true;
    if (step.act === 'redirect') this.#redirected(context, service, write);
    this.#logOutcome(context, subject, step, write);
  }

  /** By now somebody else may have handed everything back, and found nothing to do for what lands only now. */
  #redirected({ clock }: CompanionStep, service: Service, { outcome }: WriteOutcome): void {
    const at = clock.monotonic();
    if (outcome === 'unknown') this.#unanswered.set(serviceKey(service), { of: service.resourceVersion, at });
    this.#redirectSearch.sent(at, outcome === 'unknown' ? 'unanswered' : 'answered');
  }

  #logOutcome(context: CompanionStep, subject: Subject, step: RedirectStep, result: WriteOutcome): void {
    const service = serviceKey(subject.ref);
    if (result.outcome === 'done') {
      this.#refused.done(service);
      context.logger.info('Redirect step', { service, act: step.act, reason: step.reason });
    } else if (result.outcome === 'refused') {
      subject.rest = true;
      const why = isSatelliteStep(step.act) ? whyRefused(step.act, subject.ref, result) : undefined;
      if (why === undefined || !isSatelliteStep(step.act))
        this.#warnOnce(context, subject.ref, `${step.act} was refused: ${result.message}`);
      else if (this.#refused.add(service, step.act, context.clock.monotonic()))
        this.#leftOut.unfit(context.logger, service, why);
    }
  }

  /** What somebody has to grant first, and what has to be as it is until no redirect can come any more. */
  #waits(context: CompanionStep, subject: Subject, step: RedirectStep): boolean {
    if (this.#rests(context, subject, step)) return true;
    const sent = this.#unanswered.get(serviceKey(subject.ref));
    // A redirect of another version would be refused.
    if (step.act !== 'drop-record' || sent?.of !== subject.service?.resourceVersion) return false;
    return sent !== undefined && context.clock.monotonic() - sent.at < mayLandMs;
  }

  /** What somebody has to grant first is neither waited for nor tried on every pass. */
  #rests({ clock }: CompanionStep, { ref }: Subject, { act }: RedirectStep): boolean {
    return this.#refused.rests(serviceKey(ref), act, clock.monotonic());
  }

  /** Switched on without the chart, which starts the controller with the image: nothing would ever be redirected. */
  #logWithoutImage(context: CompanionStep, { settings }: SatelliteSnapshot): void {
    const { enabled, services } = context.compiled.config.serviceRedirection;
    if (!enabled || settings !== undefined) return;
    for (const ref of services) this.#leftOut.unfit(context.logger, serviceKey(ref), withoutImage);
  }

  /** A Service that somebody named and that keeps its callers waiting before a refused connection. */
  #logLeftOut({ logger }: CompanionStep, around: SatelliteSnapshot, { ref, service }: Subject): void {
    const key = serviceKey(ref);
    if (!around.named.has(key)) return;
    const wanted = satelliteWanted(around, ref, service);
    if (wanted.wanted) return;
    if (wanted.unfit) this.#leftOut.unfit(logger, key, wanted.reason);
    else this.#leftOut.servesOn(logger, key, wanted.reason);
  }

  #warnOnce({ logger }: CompanionStep, ref: ServiceRef, problem: string): void {
    const service = serviceKey(ref);
    if (this.#warned.isNew(service, problem))
      logger.warn('A redirected service is not as it should be', { service, problem });
  }
}

/** The Services of satellites that stand, recorded or not: a state that was lost must not leave one behind. */
function strays({ snapshot }: CompanionStep): readonly ServiceRef[] {
  return snapshot.workloads.map(({ workload }) => serviceBehind(workload)).filter((ref) => ref !== undefined);
}

function fingerprint(context: CompanionStep, around: SatelliteSnapshot): string {
  const workloads = [...around.named].map((key) => {
    const namespace = key.slice(0, key.indexOf('/'));
    return (around.workloads.get(namespace) ?? [])
      .map(({ workload, want, skipped }) => {
        const up = isScalable(workload) && workload.replicas > 0 ? ' up' : '';
        return `${workload.kind}/${workload.name}=${skipped?.code ?? want}${up}`;
      })
      .join();
  });
  return JSON.stringify([[...around.named], workloads, context.session.get(satellites), around.settings]);
}

function byKey(a: RedirectRecord, b: RedirectRecord): number {
  return serviceKey(a) < serviceKey(b) ? -1 : 1;
}
