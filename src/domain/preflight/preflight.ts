import type { KindTable } from '../kinds/kind-table.ts';
import { placeText } from '../kinds/place.ts';
import { standsBehind } from '../redirect/backing.ts';
import { isPutBack, undoneBy } from '../targeting/appliers.ts';
import { type GitOpsOwner, gitOpsOwner, gitOpsOwnerAs } from '../targeting/gitops.ts';
import type { Classification } from '../targeting/targeting.ts';
import {
  isScalable,
  type Scalable,
  type StringMap,
  type Workload,
  type WorkloadRef,
  workloadKey,
} from '../workload.ts';

/** One webhook of a Mutating- or ValidatingWebhookConfiguration. */
export interface WebhookFacts {
  readonly configuration: string;
  readonly name: string;
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** Absent when the webhook is called by URL. */
  readonly service?: { readonly namespace: string; readonly name: string };
  /** The resources of all its rules, such as `pods`, `deployments/scale` or `*`. */
  readonly resources: readonly string[];
}

export interface ServiceFacts {
  readonly namespace: string;
  readonly name: string;
  readonly selector: StringMap;
}

export interface ClassifiedWorkload {
  readonly workload: Workload;
  readonly classification: Classification;
}

/** What tells which workloads answer the cluster's webhooks. */
export interface WebhookInput {
  readonly kinds: KindTable;
  readonly workloads: readonly ClassifiedWorkload[];
  readonly webhooks: readonly WebhookFacts[];
  readonly services: readonly ServiceFacts[];
}

export interface PreflightInput extends WebhookInput {
  /** By key: workloads that are applied by something that sleeps with them. */
  readonly quieted: ReadonlySet<string>;
}

export type PreflightCode =
  | 'webhook_backend_sleeps'
  | 'deletes_volumes'
  | 'gitops_self_heal'
  | 'no_startup_probe'
  | 'autoscaler_from_zero';

export interface PreflightWarning {
  readonly code: PreflightCode;
  readonly text: string;
  readonly ref: WorkloadRef;
}

/** What an operator of the cluster should know before the first hibernation, in the order of the workloads. */
export function preflight(input: PreflightInput): readonly PreflightWarning[] {
  const backends = blockingBackends(input);
  const undone = undoneBy(
    input.workloads.map(({ workload, classification }) =>
      classification.targeted ? { workload } : { workload, skipped: classification.reason },
    ),
  );
  return input.workloads.flatMap(({ workload, classification }) =>
    classification.targeted
      ? targetedWarnings(workload, backends.get(workloadKey(workload)) ?? [], { ...input, undone })
      : skippedWarnings(workload, classification),
  );
}

/** The targeted workloads that must be up before anything else can be woken: a wake begins with them. */
export function webhookBackends(input: WebhookInput): readonly WorkloadRef[] {
  const backends = blockingBackends(input);
  return input.workloads.map((entry) => refOf(entry.workload)).filter((ref) => backends.has(workloadKey(ref)));
}

function targetedWarnings(
  workload: Workload,
  webhooks: readonly WebhookFacts[],
  { kinds, ...appliers }: Pick<PreflightInput, 'quieted' | 'kinds'> & Undone,
): readonly PreflightWarning[] {
  const ref = refOf(workload);
  const key = workloadKey(ref);
  const warnings: PreflightWarning[] = webhooks.map((webhook) => ({
    code: 'webhook_backend_sleeps',
    text: `${key} answers the admission webhook ${webhook.name} of ${webhook.configuration}, whose failurePolicy is Fail: while it sleeps the cluster refuses what the webhook is asked about; a wake brings it up before everything else, but exclude it if the webhook is asked about it too`,
    ref,
  }));
  const owner = undoerOf(workload, appliers);
  const row = kinds.row(workload.kind);
  if (owner !== undefined && row !== undefined) {
    const other = kinds.on.includes(owner.kind)
      ? `; config.targeting.kinds names ${owner.kind}, but this one is left alone`
      : `, or put it to sleep too (${owner.kind} in config.targeting.kinds)`;
    const text = `${key} is managed by ${owner.name}: if it heals itself it raises what is hibernated; let it ignore ${placeText(row.sleep)}${other}`;
    warnings.push({ code: 'gitops_self_heal', text, ref });
  }
  if (isScalable(workload) && !declaresStartupProbe(workload)) {
    const text = `${key} declares no startupProbe: a wake waits config.controller.workloadSettleTimeout for it`;
    warnings.push({ code: 'no_startup_probe', text, ref });
  }
  return warnings;
}

interface Undone {
  readonly undone: ReturnType<typeof undoneBy>;
}

/** Who raises it in the night: one that is read and left alone, or else the one that its marks name, unless that is quiet. */
function undoerOf(
  workload: Workload,
  { undone, quieted }: Pick<PreflightInput, 'quieted'> & Undone,
): GitOpsOwner | undefined {
  const key = workloadKey(workload);
  const loud = undone.get(key);
  if (loud !== undefined) return gitOpsOwnerAs(loud);
  return quieted.has(key) || !isPutBack(workload) ? undefined : gitOpsOwner(workload);
}

function declaresStartupProbe({ containers, sidecars = [] }: Scalable): boolean {
  return [...containers, ...sidecars].some((container) => container.startupProbe !== undefined);
}

function skippedWarnings(
  workload: Workload,
  { reason }: Classification & { readonly targeted: false },
): readonly PreflightWarning[] {
  if (reason.code !== 'deletes_volumes' && reason.code !== 'autoscaler_from_zero') return [];
  const ref = refOf(workload);
  return [{ code: reason.code, text: `${workloadKey(ref)} is left alone: ${lowerFirst(reason.text)}`, ref }];
}

/** Fail-closed webhooks by the key of each targeted workload that answers them. */
function blockingBackends(input: WebhookInput): ReadonlyMap<string, readonly WebhookFacts[]> {
  const services = new Map(input.services.map((service) => [`${service.namespace}/${service.name}`, service]));
  const backends = new Map<string, WebhookFacts[]>();
  const woken = wokenResources(input.kinds);
  for (const webhook of input.webhooks.filter((one) => blocksWakes(one, woken))) {
    const service = services.get(`${webhook.service?.namespace}/${webhook.service?.name}`);
    if (service === undefined) continue;
    for (const { workload, classification } of input.workloads) {
      if (!classification.targeted || !answers(service, workload)) continue;
      const key = workloadKey(workload);
      backends.set(key, [...(backends.get(key) ?? []), webhook]);
    }
  }
  return backends;
}

function blocksWakes(webhook: WebhookFacts, woken: ReadonlySet<string>): boolean {
  if (webhook.failurePolicy !== 'Fail' || webhook.service === undefined) return false;
  return webhook.resources.some((resource) => woken.has(resource.split('/')[0] ?? ''));
}

/** What a wake writes itself, and what the cluster creates in its course. */
function wokenResources({ names, row }: KindTable): ReadonlySet<string> {
  return new Set(['pods', 'replicasets', ...names.flatMap((kind) => row(kind)?.plural ?? []), 'jobs', '*']);
}

function answers(service: ServiceFacts, workload: Workload): boolean {
  return service.namespace === workload.namespace && standsBehind(service.selector, workload);
}

function refOf({ kind, namespace, name }: Workload): WorkloadRef {
  return { kind, namespace, name };
}

function lowerFirst(text: string): string {
  return text.startsWith('The ') || text.startsWith('Scaling ') ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
