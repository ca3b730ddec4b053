import type { Trigger } from '../../../domain/announcement/hibernation.ts';
import { wakeStarted } from '../../../domain/announcement/wake.ts';
import { durationMs } from '../../../domain/duration.ts';
import { webhookBackends } from '../../../domain/preflight/preflight.ts';
import { startWake } from '../../../domain/wake/start.ts';
import { isScalable, workloadKey } from '../../../domain/workload.ts';
import type { AdmissionFacts } from '../../../ports/admission-facts.ts';
import type { Random } from '../../../ports/random.ts';
import type { StateEdit } from '../../../state/snapshot.ts';
import { now } from '../../loop/requeue.ts';
import { type Beginning, begin } from '../../transition/begin-transition.ts';
import { transitionId, type Wake, type WakePayload } from '../../transition/transition.ts';
import { namedIn, saveWake } from './stored-wake.ts';
import { type Member, type MembersStep, members, wakeTiers } from './wake-members.ts';

/** What beginning a wake, or beginning it anew, needs of a pass. */
export interface StartWakeStep extends Beginning, MembersStep {
  readonly random: Random;
  readonly trigger: Trigger;
  readonly admission: AdmissionFacts;
  readonly signal: AbortSignal;
}

/**
 * `because`: what it has to do, in words. `ofPart`: what other clusters named, or what is tried again, when it is about that
 * alone. `edits` go with its first write.
 */
export async function startWakeTransition(
  context: StartWakeStep,
  because: readonly string[],
  ofPart: Pick<WakePayload, 'part' | 'retry'> = {},
  edits: readonly StateEdit[] = [],
): Promise<Wake> {
  const { trigger } = context;
  const at = now(context);
  const { payload, sizes } = await plannedWake(context, transitionId('wake', at, context.random), ofPart);
  const started: Wake = { kind: 'wake', id: payload.wake.id, startedAt: at, trigger, payload };
  await begin(context, started, [wakeStarted({ ...started, ...namedIn(started) })], edits);
  context.logger.info('Wake started', { ...trigger, because, ...namedIn(started), tiers: sizes });
  return started;
}

/** A wake that has waited for hosting clusters: its tiers and its deadlines begin now. */
export async function beginWaited(context: StartWakeStep, waiting: Wake): Promise<Wake> {
  const { payload, sizes } = await plannedWake(context, waiting.id);
  context.logger.info('Wake started', { ...waiting.trigger, because: ['hosting clusters'], tiers: sizes });
  return saveWake(context, waiting, payload);
}

/**
 * A wake of what other clusters named that is about more from now on. Its tiers and deadlines begin anew, for it cannot be
 * behind with what it has only now heard of; what was found out about the others stays.
 */
export async function replanPartWake(
  context: StartWakeStep,
  running: Wake,
  part: NonNullable<WakePayload['part']>,
): Promise<Wake> {
  const { refused, wake } = running.payload;
  const { payload, sizes } = await plannedWake(context, running.id, { part });
  const { writeOffs } = wake;
  const joined = await saveWake(context, running, { ...payload, refused, wake: { ...payload.wake, writeOffs } });
  context.logger.info('A wake is about more now', { ...joined.trigger, ...namedIn(joined), tiers: sizes });
  return joined;
}

/** The tiers of a wake that begins now. `sizes`: how many workloads each has, for the log. */
async function plannedWake(
  context: StartWakeStep,
  id: string,
  ofPart: Pick<WakePayload, 'part' | 'retry'> = {},
): Promise<{ readonly payload: WakePayload; readonly sizes: readonly string[] }> {
  const { compiled, snapshot } = context;
  const all = members(context, ofPart);
  const first = await neededFirst(context, all);
  const tiers = wakeTiers(context, all, { first, ...ofPart });
  const plan = {
    id,
    tiers: tiers.map((tier) => ({
      name: tier.name,
      barrierMs: tier.timeout === undefined ? compiled.wakeBarrierMs : durationMs(tier.timeout),
      workloads: tier.members.flatMap(({ record, waitedFor }) => {
        if (!waitedFor) return [];
        const workload = snapshot.workload(record);
        return [workload !== undefined && isScalable(workload) ? workload : undefined];
      }),
      databases: tier.databases,
    })),
  };
  const { wake } = startWake(plan, now(context), compiled.figures);
  return {
    payload: { kind: 'wake', wake, refused: {}, ...(first.length === 0 ? {} : { first }), ...ofPart },
    sizes: plan.tiers.map((tier) => `${tier.name}: ${tier.workloads.length}`),
  };
}

/** Which of them the cluster needs before it lets anything else be woken, by key. */
async function neededFirst(
  { snapshot, admission, signal, compiled }: StartWakeStep,
  all: readonly Member[],
): Promise<readonly string[]> {
  const asleep = all.flatMap(({ record }) => snapshot.workload(record) ?? []);
  const facts = await admission.read(signal);
  const workloads = asleep.map((workload) => ({ workload, classification: { targeted: true } as const }));
  return webhookBackends({ ...facts, kinds: compiled.kinds, workloads }).map(workloadKey);
}
