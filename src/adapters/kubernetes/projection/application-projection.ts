import type { KindRow } from '../../../domain/kinds/kind-row.ts';
import type { KindTable } from '../../../domain/kinds/kind-table.ts';
import { stepsTo } from '../../../domain/kinds/place.ts';
import { fieldManager } from '../../../domain/names.ts';
import { workloadKey } from '../../../domain/workload.ts';
import type { WorkloadObject } from '../client/resource-type.ts';
import type { StringPool } from '../json/string-pool.ts';

/** What Argo CD keeps of an Application, as far as it says what is healed. */
interface Application {
  readonly spec?: {
    readonly destination?: { readonly server?: string; readonly name?: string };
    readonly syncPolicy?: { readonly automated?: { readonly enabled?: boolean; readonly selfHeal?: boolean } | null };
    readonly ignoreDifferences?: readonly Ignored[] | null;
  };
  readonly status?: { readonly resources?: readonly Resource[] | null };
}

interface Resource {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface Ignored extends Resource {
  readonly jsonPointers?: readonly string[] | null;
  readonly jqPathExpressions?: readonly string[] | null;
  readonly managedFieldsManagers?: readonly string[] | null;
}

const none: readonly string[] = Object.freeze([]);

/**
 * The workloads of this cluster that an Application of Argo CD would raise when we lower them, by key: those that it lists,
 * while it heals by itself, unless it is told to ignore the place that we change. What applies others is among them.
 */
export function healedBy(raw: WorkloadObject, kinds: KindTable, pool: StringPool): readonly string[] {
  const { spec, status } = raw as Application;
  const automated = spec?.syncPolicy?.automated;
  if (automated?.selfHeal !== true || automated.enabled === false || !isHere(spec?.destination)) return none;
  const ignored = spec?.ignoreDifferences ?? [];
  return (status?.resources ?? []).flatMap((resource) => {
    const { kind = '', namespace = '', name = '' } = resource;
    const row = rowFor(resource, kinds);
    if (row === undefined || ignored.some((rule) => fits(rule, resource) && covers(rule, row))) return [];
    return [pool.text(workloadKey({ kind, namespace, name }))];
  });
}

/** Argo CD also rules other clusters, whose workloads may have the names of ours. */
function isHere(destination: NonNullable<Application['spec']>['destination']): boolean {
  const { server, name } = destination ?? {};
  return server === 'https://kubernetes.default.svc' || name === 'in-cluster';
}

function rowFor({ group = '', kind = '' }: Resource, kinds: KindTable): KindRow | undefined {
  const row = kinds.row(kind);
  return row?.group === group ? row : undefined;
}

/** What a rule leaves out it does not ask for; `*` is any. */
function fits(rule: Ignored, resource: Resource): boolean {
  const matches = (asked: string | undefined, is: string | undefined) =>
    asked === undefined || asked === '*' || asked === (is ?? '');
  return (
    matches(rule.group ?? '', resource.group) &&
    matches(rule.kind, resource.kind) &&
    (rule.name ? rule.name === resource.name : true) &&
    (rule.namespace ? rule.namespace === resource.namespace : true)
  );
}

function covers(rule: Ignored, { sleep }: KindRow): boolean {
  const steps = stepsTo(sleep);
  const pointer = `/${steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  return (
    rule.jsonPointers?.includes(pointer) === true ||
    rule.jqPathExpressions?.includes(`.${steps.join('.')}`) === true ||
    rule.managedFieldsManagers?.includes(fieldManager) === true
  );
}
