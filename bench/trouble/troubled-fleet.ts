import type { KubeObject } from '../../embedded-cluster/object-store.ts';
import { isWrite } from '../../test/simulation/world/faulty-transport.ts';
import { releaseNamespace } from '../../test/simulation/world/shipped-controller.ts';
import { controllerUser, SimWorld } from '../../test/simulation/world/sim-world.ts';
import { namespaceManifest, workloadManifest } from '../../test/support/builders/manifests.ts';
import type { Night, TierDown } from './figures.ts';
import { refusals } from './refusals.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A Monday; the schedule is read in UTC, 08:00 to 20:00. */
const monday = Date.UTC(2026, 0, 5);
const tierNames = ['web', 'backend', 'queues', 'data'];
const tierTimeoutMs = 2 * minute;
const latencyMs = 3;
const namespaces = 10;

const config = {
  workingHours: { timezone: 'UTC' },
  hibernateOrdering: {
    tiers: tierNames.map((name) => ({ name, timeout: '2m', select: [{ namespace: '*', labels: { tier: name } }] })),
  },
  notifications: { enabled: true, channels: { email: { enabled: true, recipients: ['ops@example.com'] } } },
};

/** A cluster with room for all of it. */
const nodes = [
  { min: 4, max: 4, cpu: '100000', memory: '100000Gi', pods: 100_000, addAfterSeconds: 60, removeAfterSeconds: 600 },
].map((pool) => ({ name: 'large', ...pool }));

interface Member {
  readonly name: string;
  readonly namespace: string;
  readonly tier: string;
  readonly refused: boolean;
}

/** With the notifier that ships: cards are mails. */
class MailedWorld extends SimWorld {
  protected override makeNotifier(): undefined {
    return undefined;
  }

  /** Thousands of refusals would be half of the time. */
  override met(): void {}
}

/** So many workloads in four tiers, a few of each of which the cluster will not have scaled. */
export class TroubledFleet {
  readonly #members: readonly Member[];
  readonly #byName: ReadonlyMap<string, Member>;
  readonly #world: MailedWorld;
  /** When each write was sent, by the name of the workload; a lowering or a raise that was done. */
  readonly #writesAt = new Map<string, number[]>();
  readonly #changed: { readonly name: string; readonly replicas: number; readonly at: number }[] = [];
  readonly #stateWritesAt: number[] = [];

  constructor(workloads: number, refused: number) {
    this.#members = membersOf(workloads, refused);
    this.#byName = new Map(this.#members.map((member) => [member.name, member]));
    this.#world = new MailedWorld({
      startAt: monday + 12 * hour,
      config,
      nodes,
      latency: () => latencyMs,
      objects: [
        ...Array.from({ length: namespaces }, (_, index) => namespaceManifest(`team-${index}`)),
        ...this.#members.map(({ name, namespace, tier }) =>
          workloadManifest({ kind: 'Deployment', name, namespace, replicas: 1, labels: { tier } }),
        ),
      ],
    });
    this.#listen();
    this.#world.start();
  }

  /** They are up and may not be lowered; at noon the policy is mended. */
  async refusedFromEvening(): Promise<Night> {
    await this.#until(19.75);
    this.#forget();
    const allow = this.#refuse();
    await this.#until(36);
    allow();
    const refused = this.#refused().length;
    return this.#night('refused from the evening on', 20, [
      `Hibernation Complete - ${refused} workloads failed`,
      'Waking Up Resources',
      'Wake Complete',
    ]);
  }

  /** They are asleep and may not be raised. */
  async refusedFromMidnight(): Promise<Night> {
    await this.#until(43.75);
    this.#forget();
    await this.#until(48);
    const allow = this.#refuse();
    await this.#until(60);
    const night = this.#night('refused from midnight on', 44, [
      'Hibernation Complete',
      'Waking Up Resources',
      `Wake Complete - ${this.#refused().length} workloads failed`,
      // An alert goes on for as long as its workload will not scale, and is told once.
      ...this.#refused().map(() => 'Workload Will Not Scale'),
    ]);
    allow();
    return night;
  }

  end(): void {
    this.#world.kill();
    this.#world.cluster.stop();
  }

  async #until(hours: number): Promise<void> {
    await this.#world.advance(monday + hours * hour - this.#world.clock.now());
  }

  #listen(): void {
    const now = () => this.#world.clock.now();
    this.#world.faults.onRequest = (request) => {
      if (!isWrite(request)) return;
      const member = this.#memberAt(request.path);
      if (member !== undefined) this.#writesAt.set(member.name, [...(this.#writesAt.get(member.name) ?? []), now()]);
      else if (request.path.includes(`/namespaces/${releaseNamespace}/configmaps/svc-state`))
        this.#stateWritesAt.push(now());
    };
    this.#world.cluster.api.faults.onWrite(({ user, resource, name, before, after }) => {
      if (user !== controllerUser || resource !== 'deployments.apps') return;
      const replicas = replicasOf(after);
      if (before === undefined || replicasOf(before) !== replicas) this.#changed.push({ name, replicas, at: now() });
    });
  }

  #memberAt(path: string): Member | undefined {
    const name = /\/deployments\/([^/?]+)/.exec(path)?.[1];
    return name === undefined ? undefined : this.#byName.get(name);
  }

  /** Each in its own way, until the answer is called. */
  #refuse(): () => void {
    const ends = this.#refused().map(({ name }, index) =>
      this.#world.faults.hold(
        'refused for good',
        (request) => isWrite(request) && this.#memberAt(request.path)?.name === name,
        refusals[index % refusals.length]!,
      ),
    );
    return () => {
      for (const end of ends) end();
    };
  }

  #refused(): readonly Member[] {
    return this.#members.filter(({ refused }) => refused);
  }

  #forget(): void {
    this.#writesAt.clear();
    this.#changed.length = 0;
    this.#stateWritesAt.length = 0;
    this.#world.inbox.mails.length = 0;
  }

  #night(name: string, eveningHour: number, cardsDue: readonly string[]): Night {
    const evening = monday + eveningHour * hour;
    const refused = this.#refused();
    const others = this.#members.filter((member) => !member.refused);
    const raised = this.#movedTo(1, others, evening + 12 * hour);
    return {
      name,
      refused: refused.length,
      tiers: tierNames.map((tier, index) => this.#tierDown(tier, evening, index * tierTimeoutMs)),
      morning: { workloads: others.length, up: raised.count, lastMs: raised.lastMs },
      writesAt: new Map(refused.map((member) => [member.name, this.#writesAt.get(member.name) ?? []])),
      stateWritesAt: [...this.#stateWritesAt],
      cards: this.#world.inbox.mails.map(({ subject }) => subject.replace(/^\[[^\]]*\] /, '')),
      cardsDue,
    };
  }

  #tierDown(name: string, evening: number, dueMs: number): TierDown {
    const members = this.#members.filter(({ tier, refused }) => tier === name && !refused);
    const { count, lastMs } = this.#movedTo(0, members, evening);
    return { name, workloads: members.length, down: count, lastMs, dueMs };
  }

  /** Which of them were brought there from that moment on, and when the last of them. */
  #movedTo(replicas: number, members: readonly Member[], from: number) {
    const names = new Set(members.map(({ name }) => name));
    const moved = this.#changed.filter((one) => one.replicas === replicas && one.at >= from && names.has(one.name));
    const count = new Set(moved.map(({ name }) => name)).size;
    return { count, lastMs: moved.reduce((last, { at }) => Math.max(last, at - from), 0) };
  }
}

/** The tiers one after the other, and those that will be refused evenly among them. */
function membersOf(workloads: number, refused: number): readonly Member[] {
  const every = Math.floor(workloads / refused);
  const tierSize = Math.ceil(workloads / tierNames.length);
  return Array.from({ length: workloads }, (_, index) => ({
    name: `workload-${index}`,
    namespace: `team-${index % namespaces}`,
    tier: tierNames[Math.floor(index / tierSize)]!,
    refused: index % every === 0 && index / every < refused,
  }));
}

function replicasOf(object: KubeObject): number {
  return (object.spec as { readonly replicas: number }).replicas;
}
