import type { ByAnnotation, ByField, KindRow } from './kind-row.ts';

/** A kind that the table does not have, as the configuration describes it. It sets one of `scale`, `field` and `annotation`. */
export interface DescribedKind {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** JSON pointer to a count that is set to zero. */
  readonly scale?: string;
  readonly field?: { readonly pointer: string; readonly value: boolean | number | string };
  readonly annotation?: { readonly name: string; readonly value: string };
  readonly ready?: { readonly condition: string };
}

/**
 * Its row. Even one that sleeps by a count is switched: its pods are its operator's affair, and a count that its owner left out
 * comes back left out.
 */
export function rowOfDescribed(described: DescribedKind): KindRow {
  const { group, version, plural, ready } = described;
  return { group, version, plural, on: 'named', sleep: sleepOf(described), ...(ready && { ready }) };
}

function sleepOf({ kind, scale, field, annotation }: DescribedKind): ByField | ByAnnotation {
  if (scale !== undefined) return { by: 'field', pointer: scale, value: 0 };
  if (field !== undefined) return { by: 'field', ...field };
  if (annotation !== undefined) return { by: 'annotation', ...annotation };
  throw new RangeError(`${kind}: nothing says by what it sleeps.`);
}
