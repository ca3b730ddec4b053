import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import type { KindTable } from '../../../src/domain/kinds/kind-table.ts';
import { isOnWhenNamed } from '../../../src/domain/kinds/kinds.ts';

// The rights that the chart gives the two processes, read from its templates: what it leaves out is refused here too.

const namespace = 'svc';
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
type Process = 'controller' | 'api';
/** What a template says once for each of a list. */
const ranges = /^{{- range .*?^{{- end }}$/gms;

export const rightsOfChart: readonly Manifest[] = (['controller', 'api'] as const).flatMap((process) => {
  const own = roleOf(process, 'own');
  const events = process === 'controller' ? [roleOf(process, 'events')] : [];
  return [
    ...clusterRole(`svc-${process}`, process, rulesOf(process, `${process}.cluster`)),
    ...role(process, own.name, namespace, own.rules),
    ...events.flatMap(({ name, rules }) => [namespace, 'default'].flatMap((home) => role(process, name, home, rules))),
  ];
});

/** What the chart grants both processes for the kinds that the values name. */
export function rightsForKinds({ on, row }: KindTable): readonly Manifest[] {
  const kinds = on.filter(isOnWhenNamed);
  if (kinds.length === 0) return [];
  return (['controller', 'api'] as const).flatMap((process) => {
    const [each = ''] = rangesOf(blockOf(process, `${process}.cluster`)).filter((one) =>
      one.includes('svc.namedKinds'),
    );
    const rule = each.split('\n').slice(1, -1).join('\n');
    const rules = kinds.flatMap((kind) => {
      const { group = '', plural = '' } = row(kind) ?? {};
      const filled = rule.replaceAll('{{ .group }}', group).replaceAll('{{ .plural }}', plural);
      return parse(filled) as readonly object[];
    });
    return clusterRole(`svc-${process}-kinds`, process, rules);
  });
}

/** Where the values name Services of a namespace, satellites may be put up there. */
export function rightsForSatellites(homes: readonly string[]): readonly Manifest[] {
  const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] }];
  return homes.flatMap((home) => role('controller', 'svc-satellites', home, rules));
}

function roleOf(process: Process, what: 'own' | 'events') {
  const block = what === 'own' ? `${process}.own` : 'events';
  return { name: `svc-${process}-${what}`, rules: rulesOf(process, block) };
}

/** What the template defines under this name, with the default values and the admission policy on. */
function rulesOf(process: Process, name: string): readonly object[] {
  // Nothing is granted here for kinds that the values name.
  const always = blockOf(process, name).replaceAll(ranges, '');
  const plain = always.replaceAll('{{ include "svc.fullname" . }}', 'svc').replaceAll(/^{{-.*}}$/gm, '');
  return parse(plain) as readonly object[];
}

function rangesOf(block: string): readonly string[] {
  return block.match(ranges) ?? [];
}

function blockOf(process: Process, name: string): string {
  const path = new URL(`../../../charts/svc/templates/rbac-${process}.yaml`, import.meta.url);
  const block = new RegExp(`define "svc\\.rules\\.${name.replace('.', '\\.')}" -}}\n([^]*?)\n{{- end -}}`);
  const text = block.exec(readFileSync(path, 'utf8'))?.[1];
  if (text === undefined) throw new Error(`The chart defines no rules ${name} in rbac-${process}.yaml.`);
  return text;
}

function clusterRole(name: string, process: Process, rules: readonly object[]): readonly Manifest[] {
  const metadata = { name };
  return [
    { ...rbac, kind: 'ClusterRole', metadata, rules },
    { ...rbac, kind: 'ClusterRoleBinding', metadata, ...binding('ClusterRole', metadata.name, process) },
  ];
}

function role(process: Process, name: string, home: string, rules: readonly object[]): readonly Manifest[] {
  const metadata = { name, namespace: home };
  return [
    { ...rbac, kind: 'Role', metadata, rules },
    { ...rbac, kind: 'RoleBinding', metadata, ...binding('Role', name, process) },
  ];
}

function binding(kind: string, name: string, process: Process) {
  return {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'ServiceAccount', name: `svc-${process}`, namespace }],
  };
}
