import { type DescribedKind, rowOfDescribed } from './described-kind.ts';
import type { KindRow } from './kind-row.ts';
import {
  alwaysOn,
  builtInRow,
  kindNames,
  listed,
  type NamedKind,
  onWhenNamed,
  rowOf,
  type WorkloadKind,
} from './kinds.ts';

/** An entry of `config.targeting.kinds`. */
export type KindEntry = NamedKind | DescribedKind;

/** Every kind that is known while a configuration is in force: the rows of the table, and those that it describes. */
export interface KindTable {
  /** In the order of the table, those that are described last. */
  readonly names: readonly WorkloadKind[];
  /** The kinds that are ours to put to sleep: those of every cluster, and those that the configuration names or describes. */
  readonly on: readonly WorkloadKind[];
  /** Of a kind that is known, on or not. */
  row(kind: WorkloadKind): KindRow | undefined;
  /** The kind that people write so: in any case, singular or plural. */
  called(text: string): WorkloadKind | undefined;
  /** `Deployment, StatefulSet or CronJob`, for sentences that say what would be right. */
  readonly listed: string;
}

/** The kinds of the table by what people call them, in lower case. */
export const builtInNames: ReadonlyMap<string, WorkloadKind> = new Map(
  kindNames.flatMap((kind) => namesOf(kind, rowOf(kind)).map((name) => [name, kind] as const)),
);

/** The kind of the table that people write so, which may be short as kubectl knows it. */
export function builtInCalled(text: string): WorkloadKind | undefined {
  return builtInNames.get(text.toLowerCase());
}

/** Assembled once for each configuration that comes into force. */
export function kindTable(entries: readonly KindEntry[]): KindTable {
  const described = entries.filter((entry) => typeof entry !== 'string');
  const rows = new Map(described.map((entry) => [entry.kind, rowOfDescribed(entry)]));
  const names = [...kindNames, ...rows.keys()];
  return {
    names,
    on: [...alwaysOn, ...onWhenNamed.filter((kind) => entries.includes(kind)), ...rows.keys()],
    row: (kind) => builtInRow(kind) ?? rows.get(kind),
    called: (text) => builtInCalled(text) ?? described.find(({ kind }) => isCalled(kind, text))?.kind,
    listed: listed(names),
  };
}

/** Whether people write this kind so. No table is needed to know it, so that a selector means the same whatever is described. */
export function isCalled(kind: WorkloadKind, text: string): boolean {
  const known = builtInCalled(text);
  if (known !== undefined) return kind === known;
  const [name, asked] = [kind.toLowerCase(), text.toLowerCase()];
  return asked === name || asked === `${name}s`;
}

function namesOf(kind: WorkloadKind, { plural, short }: KindRow): readonly string[] {
  return [kind.toLowerCase(), plural, ...(short === undefined ? [] : [short])];
}
