import { compareRecords } from '../domain/record/record.ts';
import { type WorkloadRef, workloadKey } from '../domain/workload.ts';
import { arrayText, codec, elementRules } from './codec/codec.ts';
import {
  elements,
  nameField,
  object,
  objectName,
  own,
  place,
  refuseDuplicates,
  text,
  workloadKind,
} from './codec/shape.ts';

/** A workload that the service leaves alone, and why. */
export interface IgnoredResource extends WorkloadRef {
  readonly reason: string;
}

// An element names one workload (`name`), or several of one kind, namespace and reason (`names`).
export const ignoredResources = codec<readonly IgnoredResource[]>({
  key: 'ignored_resources',
  empty: [],
  blankIsEmpty: false,
  read(json) {
    const ignored = elements(json, '', readElement).flat();
    refuseDuplicates(ignored, workloadKey);
    return ignored;
  },
  write: (ignored) => arrayText(groups(ignored).map(groupText)),
  elements: elementRules<IgnoredResource>({
    keyOf: workloadKey,
    cost: ({ kind, namespace, name, reason }) => ({
      group: `${kind} ${namespace} ${reason}`,
      line: name.length + 3,
      head: 80 + namespace.length + JSON.stringify(reason).length * 2,
    }),
    // Found again by every pass: it does not take the room of what is not.
    mostInState: 65_536,
  }),
});

function readElement(element: unknown, where: string): readonly IgnoredResource[] {
  const fields = object(element, where);
  const shared = {
    kind: workloadKind(fields, where),
    namespace: nameField(fields, 'namespace', where),
    reason: text(fields, 'reason', where),
  };
  const names = own(fields, 'names');
  if (names === undefined) return [{ ...shared, name: nameField(fields, 'name', where) }];
  return elements(names, place(where, 'names'), objectName).map((name) => ({ ...shared, name }));
}

function groups(ignored: readonly IgnoredResource[]): readonly (readonly IgnoredResource[])[] {
  const sorted = ignored.toSorted(compareRecords);
  return [...Map.groupBy(sorted, ({ kind, namespace, reason }) => `${kind} ${namespace} ${reason}`).values()];
}

function groupText(group: readonly IgnoredResource[]): string {
  const { kind, namespace, name, reason } = group[0]!;
  if (group.length === 1) return JSON.stringify({ kind, namespace, name, reason });
  return JSON.stringify({ kind, namespace, names: group.map((one) => one.name), reason });
}
