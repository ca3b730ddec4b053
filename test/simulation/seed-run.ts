import { seededRandom } from '../../embedded-cluster/seeded-random.ts';
import type { Actor, Stage } from './actors/actor.ts';
import { admins, stops } from './actors/admins.ts';
import { lasting } from './actors/lasting.ts';
import { trouble } from './actors/trouble.ts';
import { users } from './actors/users.ts';
import { Chance } from './chance.ts';
import type { Coverage } from './coverage.ts';
import type { Circumstances } from './invariants/circumstances.ts';
import { checkWhileLasting } from './invariants/lasting-rules.ts';
import { PaceRules } from './invariants/pace-rules.ts';
import { checkConverged } from './invariants/quiet-rules.ts';
import { Violation } from './invariants/violation.ts';
import { WriteRules } from './invariants/write-rules.ts';
import { everyPlan, plans, type WorldPlan, worldNames } from './world/catalogue.ts';
import type { Latency } from './world/faulty-transport.ts';
import { LateInputs } from './world/late-inputs.ts';
import { Neighbourhood, neighbourhoodObjects } from './world/neighbourhood.ts';
import { SimWorld } from './world/sim-world.ts';

/** Somebody is told by mail. */
const told = {
  notifications: { enabled: true, channels: { email: { enabled: true, recipients: ['ops@example.com'] } } },
};

/**
 * What a neighbour does to a workload is noted, told, written down and its notice cleared away: four writes. It may bring what applies the
 * workload into our scope, which is then put to sleep: nine more.
 */
const writesAfterANeighbour = 4 + 9;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Days from which five are simulated: a weekend in each, and in most a change of somebody's clocks, or a holiday. */
const starts = ['2026-01-02', '2026-03-26', '2026-10-22', '2026-06-02', '2026-03-05', '2026-10-29', '2026-04-02'];

export interface SeedOptions {
  readonly seed: number;
  /** One world of the catalogue; without it the seed chooses. */
  readonly world?: string;
  readonly days?: number;
  /** How much of the end of the trace is given back. */
  readonly traceLines?: number;
}

export interface SeedResult {
  readonly seed: number;
  readonly world: string;
  readonly hash: string;
  readonly violation?: Violation;
  readonly trace: readonly string[];
  readonly writes: number;
  readonly coverage: Coverage['counts'];
}

export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const plan = planOf(options);
  const run = new SeedRun(options, plan);
  let violation: Violation | undefined;
  try {
    await run.play(options.days ?? 5);
  } catch (error) {
    violation =
      error instanceof Violation ? error : new Violation('no exception', String((error as Error).stack ?? error));
  }
  run.world.kill();
  run.world.api.kill();
  run.world.neighbourhood?.stop();
  run.world.cluster.stop();
  return {
    seed: options.seed,
    world: plan.name,
    hash: run.world.trace.hash(),
    trace: run.world.trace.last(options.traceLines ?? 60),
    writes: run.writes,
    coverage: run.world.coverage.counts,
    ...(violation === undefined ? {} : { violation }),
  };
}

function planOf({ seed, world }: SeedOptions): WorldPlan {
  if (world === undefined || world === '') return plans[seed % plans.length]!;
  const found = everyPlan.find(({ name }) => name === world);
  if (found === undefined) throw new Error(`There is no world ${world}; there are ${worldNames.join(', ')}.`);
  return found;
}

/** A few milliseconds each way, now and then a second: a stop falls into the middle of a batch. */
function latencyOf(seed: number): Latency {
  const random = seededRandom(seed * 17 + 3);
  return () => (random.next() < 0.02 ? 100 + Math.floor(random.next() * 1_400) : 1 + Math.floor(random.next() * 12));
}

/** A cluster whose controller has the shipped notifier. */
class SeedWorld extends SimWorld {
  protected override makeNotifier(): undefined {
    return undefined;
  }
}

/** Some days of one cluster's life. */
class SeedRun {
  readonly world: SimWorld;
  readonly #chance: Chance;
  readonly #rules: WriteRules;
  readonly #pace: PaceRules;
  readonly #around: Circumstances;
  readonly #stage: Stage;
  readonly #settleMs: number;
  readonly #groups: readonly { readonly weight: number; readonly actors: readonly Actor[] }[];
  #lastActionAt = 0;
  #troubleUntil = Number.NEGATIVE_INFINITY;
  #pendingLater = new Map<number, { readonly what: string; readonly run: () => void }>();
  #laterId = 0;
  #requests = 0;
  #secondSince = 0;
  #inSecond = 0;

  constructor({ seed }: SeedOptions, plan: WorldPlan) {
    this.#chance = new Chance(seed);
    const startAt = Date.parse(`${this.#chance.pick(starts)}T00:00:00Z`) + this.#chance.between(0, 23) * hour;
    const config = { ...told, ...plan.config(this.#chance) };
    const neighbourhood = plan.neighbourhood?.(this.#chance);
    const around = neighbourhood === undefined ? [] : neighbourhoodObjects(neighbourhood);
    const objects = [...plan.objects(this.#chance), ...around];
    const cloud = plan.cloud === undefined ? {} : { cloud: plan.cloud };
    const sizes = plan.partSizes === undefined ? {} : { partSizes: plan.partSizes };
    this.#pace = new PaceRules(() => this.world.clock.monotonic());
    const { logger } = this.#pace;
    const latency = latencyOf(seed);
    this.world = new SeedWorld({ seed, startAt, config, objects, logger, latency, ...cloud, ...sizes });
    if (neighbourhood !== undefined)
      this.world.neighbourhood = new Neighbourhood(
        { cluster: this.world.cluster, clock: this.world.clock },
        neighbourhood,
        seed,
      );
    this.#pace.watch(this.world);
    this.#settleMs = plan.settleMs ?? 50 * minute;
    const { users: u, admins: a, stops: s, faults: f } = plan.temper;
    this.#groups = [
      { weight: u, actors: users },
      { weight: a, actors: admins },
      { weight: s, actors: stops },
      { weight: f, actors: trouble },
      { weight: plan.temper.lasting, actors: lasting },
      ...(plan.others === undefined ? [] : [plan.others]),
    ];
    this.#around = {
      lastActionAt: () => this.#lastActionAt,
      slackMs: () => (this.#mono() < this.#troubleUntil ? 150_000 : 2_000),
      scope: () => ({ neverScale: plan.name === 'crowded' ? [{ namespace: 'shop', name: 'never' }] : [] }),
    };
    this.#rules = new WriteRules(this.world, this.#around);
    this.#stage = {
      world: this.world,
      chance: this.#chance,
      later: (ms, what, run) => this.#later(ms, what, run),
      troubleFor: (ms) => this.#troubleFor(ms),
      licenseChanged: (acts) => {
        this.world.stops.licenseChanged(acts);
        this.#rules.licenseChanged(acts);
      },
    };
    this.world.cluster.api.faults.onRequest((facts) => {
      if (facts.user.endsWith('svc-controller') && facts.verb !== 'watch') this.#request();
    });
    this.world.onFault = () => this.#troubleFor(3 * minute);
    this.world.onCrash = () => {
      const after = this.#chance.happens(0.8)
        ? this.#chance.between(1, 90) * 1_000
        : this.#chance.between(2, 600) * minute;
      this.#later(after, 'restart', () => this.world.start());
    };
    const lateInputs = new LateInputs(this.world, seed);
    this.world.onStart = () => {
      const ms = lateInputs.hold();
      if (ms > 0) this.#troubleFor(ms);
    };
    this.world.trace.note(`seed ${seed}, world ${plan.name}`);
  }

  /** A loop that spins without time passing would never end by itself. */
  #request(): void {
    this.#requests++;
    if (this.#mono() - this.#secondSince >= 1_000) [this.#secondSince, this.#inSecond] = [this.#mono(), 0];
    if (++this.#inSecond !== 600) return;
    this.#rules.violations.push(new Violation('quiet', '600 requests within a second: a hot loop'));
    this.world.kill();
  }

  get writes(): number {
    return this.#rules.writes;
  }

  async play(days: number): Promise<void> {
    const { world } = this;
    world.start();
    void world.api;
    await this.#advance(minute);
    const endAt = this.#mono() + days * day;
    while (this.#mono() < endAt) {
      await this.#advance(this.#pause());
      await this.#act();
      if (this.world.lasting.active.length > 0 && this.#chance.happens(0.2)) await this.#lastingPoint();
      else if (this.#chance.happens(0.12)) await this.#quietPoint();
    }
    await this.#finale();
  }

  /** Mostly hours; sometimes seconds, and often into the middle of a transition. */
  #pause(): number {
    const kind = this.#chance.between(0, 9);
    if (kind <= 2) return this.#chance.between(0, 90_000);
    if (kind <= 4) return this.#chance.between(1, 20) * minute + this.#chance.between(0, 59_999);
    if (kind <= 6) return this.#toNextEdge() + this.#chance.between(0, 240_000);
    return this.#chance.between(1, 12) * hour + this.#chance.between(0, hour);
  }

  /** About when somebody's working day begins or ends: the controller is busiest then. */
  #toNextEdge(): number {
    const now = new Date(this.world.clock.now());
    const minutes = now.getUTCHours() * 60 + now.getUTCMinutes();
    const edges = [6 * 60, 7 * 60, 18 * 60, 19 * 60];
    const next = edges.find((edge) => edge > minutes) ?? 24 * 60 + edges[0]!;
    return (next - minutes) * minute - now.getUTCSeconds() * 1_000;
  }

  async #act(): Promise<void> {
    const group = this.#chance.pickWeighted(this.#groups);
    const actor = this.#chance.pickWeighted(group.actors);
    this.#lastActionAt = this.#mono();
    const done = await actor.act(this.#stage);
    if (group.actors === trouble && done !== undefined) this.world.met(actor.name);
    if (done !== undefined) this.world.trace.note(`* ${done}`);
    await this.#advance(0);
    this.#lastActionAt = this.#mono();
  }

  #mono(): number {
    return this.world.clock.monotonic();
  }

  #later(ms: number, what: string, run: () => void): void {
    const id = this.#laterId++;
    this.#pendingLater.set(id, { what, run });
    this.world.clock.after(ms, () => this.#runLater(id));
  }

  #runLater(id: number): void {
    const due = this.#pendingLater.get(id);
    if (due === undefined) return;
    this.#pendingLater.delete(id);
    this.world.trace.note(`* later: ${due.what}`);
    this.#lastActionAt = this.#mono();
    due.run();
  }

  #troubleFor(ms: number): void {
    this.#troubleUntil = Math.max(this.#troubleUntil, this.#mono() + ms);
    this.world.watchesAtFault(true);
    this.world.clock.after(ms, () => {
      if (this.#mono() >= this.#troubleUntil) this.world.watchesAtFault(false);
    });
  }

  /** Goes on in virtual time; whatever a write broke on the way ends the seed. */
  async #advance(ms: number): Promise<void> {
    await this.world.advance(ms);
    const first = this.#rules.violations[0] ?? this.#pace.violations[0];
    if (first !== undefined) throw first;
  }

  /** Faults stop, everything that is due is done, nobody acts: then all has to converge, and stay still. */
  async #quietPoint(): Promise<void> {
    // A crash that was on its way as everything calmed down comes after it.
    do {
      await this.#calm();
      await this.#settle();
    } while (!this.world.alive);
    this.world.trace.note('- quiet');
    checkConverged(this.world, this.#around);
    this.#rules.told.check();
    const { writes, neighbourChanges } = this.#rules;
    const requests = this.#requests;
    const wishes = this.#wishes();
    const lastActionAt = this.#lastActionAt;
    await this.#advance(90 * minute);
    // An edge of the schedule, a session or somebody's wish that ended, or what fell due: no rest to speak of.
    if (this.#wishes() !== wishes || this.#lastActionAt !== lastActionAt) return;
    const allowed = 1 + writesAfterANeighbour * (this.#rules.neighbourChanges - neighbourChanges);
    if (this.#rules.writes > writes + allowed) {
      throw new Violation('quiet', `${this.#rules.writes - writes} writes on a cluster at rest`);
    }
    // What only a person can mend is tried again all the same.
    if (this.#requests - requests > 120 && !this.world.serviceOwners.anyLost()) {
      throw new Violation('quiet', `${this.#requests - requests} requests in 90 minutes on a cluster at rest`);
    }
  }

  #wishes(): string {
    const data = this.world.stateData();
    const asked = ['external_wake_sessions', 'manual_hibernation', 'wake_override'].map((key) => data[key]);
    return JSON.stringify([data['phase'], asked, this.world.shouldBe()]);
  }

  /**
   * As long as it takes for everything to converge; counted from whatever fell due on the way, where nobody hears of it, and
   * from what fell due at its very end, an edge of the schedule too: the controller has yet to notice.
   */
  async #settle(): Promise<void> {
    let since: number;
    do {
      since = this.#lastActionAt;
      await this.#advance(this.#settleMs);
    } while (
      this.#hasJustTurned() ||
      (this.#lastActionAt !== since && (this.#settleMs > hour || this.#mono() - this.#lastActionAt < 5 * minute))
    );
  }

  #hasJustTurned(): boolean {
    const { world } = this;
    return world.shouldBe(world.clock.now() - 5 * minute).cluster !== world.shouldBe().cluster;
  }

  /** Passing faults stop, nobody acts, and what is wrong for hours goes on: it holds up nothing but what it touches. */
  async #lastingPoint(): Promise<void> {
    const { world } = this;
    world.faults.clear();
    const { active } = world.lasting;
    const since = this.#lastActionAt;
    await this.#advance(50 * minute);
    const same = world.lasting.active.length === active.length && this.#lastActionAt === since;
    if (!same || !world.alive || world.process?.life.paused === true) return;
    world.trace.note(`- lasting: ${active.map(({ name }) => name)}`);
    checkWhileLasting(world, this.#around);
  }

  async #calm(): Promise<void> {
    this.world.lasting.endAll();
    this.world.killOthers();
    this.world.faults.clear();
    if (this.world.cloud !== undefined) this.world.cloud.troubledUntil = Number.NEGATIVE_INFINITY;
    for (const [id, { what }] of [...this.#pendingLater]) {
      if (/repairs|apiserver|restart/.test(what)) this.#runLater(id);
    }
    if (!this.world.alive) this.world.start();
    this.#troubleFor(12 * minute);
    await this.#advance(0);
    this.#lastActionAt = this.#mono();
  }

  /** At the end everything is wanted up, and has to come up. */
  async #finale(): Promise<void> {
    for (const id of [...this.#pendingLater.keys()]) {
      this.#runLater(id);
      await this.#advance(2_000);
    }
    await this.#calm();
    this.#stage.licenseChanged(true);
    const always = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name) => [
      name,
      'on',
    ]);
    const timezone = (this.world.configParts['workingHours'] as { timezone: string }).timezone;
    this.world.setLicense({ found: 'nothing' });
    this.world.reconfigure({
      workingHours: { timezone, schedule: Object.fromEntries(always) },
      operations: { dryRun: false },
      holidays: { regions: [], act: false },
      global: { enabled: true },
    });
    this.world.trace.note('- finale');
    await this.#advance(20 * minute);
    await this.#settle();
    checkConverged(this.world, this.#around);
    this.#rules.told.check();
  }
}
