import { isScalableKind, type WorkloadKind } from '../domain/kinds/kinds.ts';
import {
  compareRecords,
  isReplicaRecord,
  type SuspendRecord,
  tonights,
  type WorkloadRecord,
} from '../domain/record/record.ts';
import { workloadKey } from '../domain/workload.ts';
import { arrayText, codec, type ElementCost, elementRules } from './codec/codec.ts';
import {
  elements,
  type Fields,
  flag,
  instantField,
  instantText,
  nameField,
  object,
  objectName,
  oneOf,
  own,
  place,
  refuseDuplicates,
  text,
  wholeNumber,
  workloadKind,
  wrong,
} from './codec/shape.ts';

// One element is one workload, or, to keep thousands of them small, all workloads of one kind, namespace and time:
//   {"kind":"Deployment","namespace":"shop","name":"cart","uid":"9f1c…","replicas":3,"at":"2026-11-13T19:00:00Z"}
//   {"kind":"Deployment","namespace":"shop","at":"2026-11-13T19:00:00Z","replicasAndUid":{
//   "cart":"3 9f1c…",
//   "web":"2 27ab…"}}
// A workload that could not be taken down yet has "provisional":true, and in a group a third word, provisional.
// A workload of which the night has brought something has it in "tonight", and is always alone.
// A workload of which something else than nothing stood at the place that is set has it in "before", and is always alone.
// What is suspended alike, with "suspended":false alone and "suspendedAndUid":{"report":"false 51d0…"} in a group.

/** Kubernetes holds replicas in 32 bits; what is plausible is decided where a record is acted on. */
const mostReplicas = 2_147_483_647;

export const resourceStates = codec<readonly WorkloadRecord[]>({
  key: 'resource_states',
  empty: [],
  blankIsEmpty: false,
  read(json) {
    const records = elements(json, '', readElement).flat();
    refuseDuplicates(records, workloadKey);
    return records;
  },
  write: (records) => arrayText(groups(records).map(groupText)),
  elements: elementRules<WorkloadRecord>({ keyOf: workloadKey, cost: costOf, mostInState: Number.POSITIVE_INFINITY }),
});

/** The most that a group of one takes beyond its line and the names in it. */
const headBytes = 160;
/** Quotes, separators, and what was there before in digits. */
const lineBytes = 20;
/** `,"tonight":"lowered again"` */
const tonightBytes = 26;

function costOf(record: WorkloadRecord): ElementCost {
  const { namespace, name, uid, provisional, tonight } = record;
  return {
    group: groupOf(record),
    line:
      lineBytes + name.length + uid.length + (provisional ? 12 : 0) + (tonight ? tonightBytes : 0) + valueBytes(record),
    head: headBytes + namespace.length,
  };
}

function beforeOf(record: WorkloadRecord): string | undefined {
  return isReplicaRecord(record) ? undefined : record.before;
}

/** As bytes, with the name of the field. */
function valueBytes(record: WorkloadRecord): number {
  const before = beforeOf(record);
  return before === undefined ? 0 : 12 + 3 * before.length;
}

/** What is written together. */
function groupOf(record: WorkloadRecord): string {
  const shared = `${record.kind} ${record.namespace} ${record.at}`;
  return beforeOf(record) === undefined && record.tonight === undefined ? shared : `${shared} ${record.name}`;
}

type Shared = Pick<WorkloadRecord, 'kind' | 'namespace' | 'at'>;

function readElement(element: unknown, where: string): readonly WorkloadRecord[] {
  const fields = object(element, where);
  const shared: Shared = {
    kind: workloadKind(fields, where),
    namespace: nameField(fields, 'namespace', where),
    at: instantField(fields, 'at', where),
  };
  const group = own(fields, groupField(shared.kind));
  if (group === undefined) return [readAlone(shared, fields, where)];
  return Object.entries(object(group, place(where, groupField(shared.kind)))).map(([name, value]) => {
    objectName(name, `a name in ${where}`);
    return readGrouped(shared, name, value, `${where}, workload ${name}`);
  });
}

function readAlone({ kind, namespace, at }: Shared, fields: Fields, where: string): WorkloadRecord {
  const name = nameField(fields, 'name', where);
  const uid = text(fields, 'uid', where, 64);
  const waiting = own(fields, 'provisional') !== undefined && flag(fields, 'provisional', where);
  const tonight = own(fields, 'tonight') === undefined ? undefined : oneOf(fields, 'tonight', where, tonights);
  const more = { at, ...(waiting ? ({ provisional: true } as const) : {}), ...(tonight && { tonight }) };
  const ref = { namespace, name, uid };
  if (!isScalableKind(kind)) {
    return { kind, ...ref, suspended: flag(fields, 'suspended', where), ...readBefore(fields), ...more };
  }
  return { kind, ...ref, replicas: wholeNumber(fields, 'replicas', where, mostReplicas), ...more };
}

/** In the record it is text, so that two of them compare as texts do. */
function readBefore(fields: Fields): { readonly before?: string } {
  const value = own(fields, 'before');
  return value === undefined || value === null ? {} : { before: JSON.stringify(value) };
}

const grouped = /^(?:(?<replicas>\d{1,10})|(?<suspended>true|false)) (?<uid>[^ ]{1,64})(?<provisional> provisional)?$/;

function readGrouped({ kind, namespace, at }: Shared, name: string, value: unknown, where: string): WorkloadRecord {
  const parts = typeof value === 'string' ? grouped.exec(value)?.groups : undefined;
  const uid = parts?.['uid'];
  const more = { at, ...(parts?.['provisional'] === undefined ? {} : ({ provisional: true } as const)) };
  if (!isScalableKind(kind)) {
    const suspended = parts?.['suspended'];
    if (uid !== undefined && suspended !== undefined) {
      return { kind, namespace, name, uid, suspended: suspended === 'true', ...more };
    }
    throw wrong(where, 'true or false and a uid, with one space between', value);
  }
  const replicas = Number(parts?.['replicas'] ?? Number.NaN);
  if (uid !== undefined && replicas <= mostReplicas) return { kind, namespace, name, uid, replicas, ...more };
  throw wrong(where, `a whole number from 0 to ${mostReplicas} and a uid, with one space between`, value);
}

function groupField(kind: WorkloadKind): string {
  return isScalableKind(kind) ? 'replicasAndUid' : 'suspendedAndUid';
}

function groups(records: readonly WorkloadRecord[]): readonly (readonly WorkloadRecord[])[] {
  const byShared = new Map<string, WorkloadRecord[]>();
  for (const record of records.toSorted(compareRecords)) {
    const shared = groupOf(record);
    const group = byShared.get(shared);
    if (group === undefined) byShared.set(shared, [record]);
    else group.push(record);
  }
  return [...byShared.values()];
}

function groupText(group: readonly WorkloadRecord[]): string {
  const first = group[0]!;
  const { kind, namespace, name, uid, provisional, tonight } = first;
  const at = instantText(first.at);
  if (group.length === 1) {
    const before = isReplicaRecord(first) ? { replicas: first.replicas } : suspendedText(first);
    const more = { ...(provisional ? { provisional } : {}), ...(tonight ? { tonight } : {}) };
    return JSON.stringify({ kind, namespace, name, uid, ...before, at, ...more });
  }
  const head = JSON.stringify({ kind, namespace, at }).slice(0, -1);
  return `${head},"${groupField(kind)}":{\n${group.map(lineText).join(',\n')}}}`;
}

function suspendedText({ suspended, before }: SuspendRecord): object {
  return before === undefined ? { suspended } : { suspended, before: JSON.parse(before) as unknown };
}

function lineText(record: WorkloadRecord): string {
  const before = isReplicaRecord(record) ? record.replicas : record.suspended;
  return `"${record.name}":${JSON.stringify(`${before} ${record.uid}${record.provisional ? ' provisional' : ''}`)}`;
}
