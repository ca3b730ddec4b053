import { product } from '../../domain/names.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { LogFields } from '../../ports/logger.ts';
import type { OwnPod, OwnPods } from '../../ports/own-pods.ts';
import { autoscalerProtection } from '../../state/autoscaler-protection.ts';
import { set } from '../../state/snapshot.ts';
import { now } from '../loop/requeue.ts';
import { isWake, transition } from '../transition/transition.ts';
import type { AsleepCompanion, Companion, CompanionStep } from './companion.ts';
import { ToldOnce } from './told-once.ts';

/** What asks the two node autoscalers to leave a pod where it is. */
const protection: Readonly<Record<string, string>> = {
  'karpenter.sh/do-not-disrupt': 'true',
  'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
};
/** Names the annotations that we set, so that those which somebody else set stay when ours go. */
const mark = `${product}.io/autoscaler-protection`;
const held = 'node-autoscaler protection';
const notListed = 'Our own pods cannot be listed';
/** Pods come and go; in a quiet night they are looked at this often. */
const recheckMs = 60_000;

/**
 * While the cluster is down its nodes empty and go away, and must not take with them the one thing that can wake it: our
 * own pods ask to stay until the wake is over.
 */
export class AutoscalerProtection implements Companion {
  readonly name = 'autoscaler-protection';
  readonly #pods: OwnPods;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Once a night: on every pass it would bury what else the log has to say. */
  readonly #told = new ToldOnce();

  /** What a dry run said last, and when. */
  #planned: { readonly at: number; readonly wanted: string; readonly plan: ProtectionPlan } | undefined;

  constructor(pods: OwnPods) {
    this.#pods = pods;
  }

  async sleep(context: CompanionStep): Promise<AsleepCompanion> {
    const { session, clock } = context;
    if (session.get(autoscalerProtection) === null) {
      await session.writeOutsideReserve(set(autoscalerProtection, { since: now(context) }));
      this.#lookedAt = Number.NEGATIVE_INFINITY;
    }
    if (clock.monotonic() - this.#lookedAt < recheckMs) return { awaited: [] };
    // The hibernation does not wait for this. Where the right is missing the next pass would be refused too.
    const result = await this.#annotate(context, missing);
    if (result !== 'left') this.#lookedAt = clock.monotonic();
    return { awaited: [] };
  }

  async wake(context: CompanionStep): Promise<readonly string[]> {
    const { session } = context;
    if (session.get(autoscalerProtection) === null) return [];
    // A wake ends with a verdict about each workload; a handback ends when the counts are back, and waits for none of them.
    // The pass that ends the wake comes here again, so that until then there is nothing to try again.
    if (context.desired.wanted !== 'handback' && isWake(session.get(transition))) return [];
    if ((await this.#annotate(context, removal)) !== 'done') return [held];
    await session.write(set(autoscalerProtection, null));
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    this.#told.forget();
    return [];
  }

  dueAt(): undefined {}

  /** Our own pods stand in nobody's way. */
  async lastCall(): Promise<readonly string[]> {
    return [];
  }

  /** Pods are listed as often as in a quiet night. */
  async plan(context: CompanionStep): Promise<Readonly<Record<string, unknown>>> {
    const { wanted } = context.desired;
    const at = context.clock.monotonic();
    const known = this.#planned;
    if (known?.wanted === wanted && at - known.at < recheckMs) return { ...known.plan };
    const plan = await this.#look(context);
    this.#planned = { at, wanted, plan };
    return { ...plan };
  }

  async #look(context: CompanionStep): Promise<ProtectionPlan> {
    const asleep = context.desired.wanted === 'hibernated';
    if (!asleep && context.session.get(autoscalerProtection) === null) return { protect: [], unprotect: [] };
    const pods = await this.#list(context);
    const changing = (changeOf: ChangeOf) => pods.filter((pod) => changeOf(pod) !== undefined).map(({ name }) => name);
    return asleep ? { protect: changing(missing), unprotect: [] } : { protect: [], unprotect: changing(removal) };
  }

  async #list(context: CompanionStep): Promise<readonly OwnPod[]> {
    try {
      return await this.#pods.list();
    } catch (error) {
      this.#warnOnce(context, notListed, { error: String(error) });
      return [];
    }
  }

  /** `left`: a pod could not be seen to, and may be on the next pass. One that is gone needs nothing. */
  async #annotate(context: CompanionStep, changeOf: ChangeOf): Promise<'done' | 'refused' | 'left'> {
    context.fence.begin();
    try {
      const outcomes: WriteOutcome['outcome'][] = [];
      for (const pod of await this.#pods.list()) {
        const change = changeOf(pod);
        if (change === undefined) continue;
        if (!(await context.fence.holds())) return 'left';
        const result = await this.#pods.annotate(pod, change);
        outcomes.push(result.outcome);
        if (result.outcome === 'refused') {
          const fields = { pod: pod.name, message: result.message };
          this.#warnOnce(
            context,
            'A pod of our own cannot be annotated, and a node autoscaler may take its node',
            fields,
          );
        }
      }
      const left = outcomes.filter((outcome) => outcome !== 'done' && outcome !== 'gone');
      if (left.length === 0) return 'done';
      return left.every((outcome) => outcome === 'refused') ? 'refused' : 'left';
    } catch (error) {
      this.#warnOnce(context, notListed, { error: String(error) });
      return 'left';
    }
  }

  #warnOnce({ logger }: CompanionStep, message: string, fields: LogFields): void {
    if (this.#told.isNew(held, message)) logger.warn(message, fields);
  }
}

type Change = Readonly<Record<string, string | null>>;
type ChangeOf = (pod: OwnPod) => Change | undefined;

/** Names of the pods that would be annotated (`protect`), and of those that would lose what we annotated (`unprotect`). */
type ProtectionPlan = Readonly<Record<'protect' | 'unprotect', readonly string[]>>;

/** What a pod lacks; what is there already, whoever wrote it, stays as it is. */
function missing({ annotations }: OwnPod): Change | undefined {
  if (annotations[mark] !== undefined) return undefined;
  const names = Object.keys(protection).filter((name) => annotations[name] === undefined);
  if (names.length === 0) return undefined;
  return { ...Object.fromEntries(names.map((name) => [name, protection[name]!])), [mark]: names.join(',') };
}

function removal({ annotations }: OwnPod): Change | undefined {
  const names = annotations[mark]?.split(',').filter((name) => Object.hasOwn(protection, name));
  if (names === undefined) return undefined;
  return { ...Object.fromEntries(names.map((name) => [name, null])), [mark]: null };
}
