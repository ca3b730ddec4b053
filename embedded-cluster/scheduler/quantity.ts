import { parseQuantity } from './parse-quantity.ts';

/** The few texts that a cluster's pods request are asked about at every placement. */
const known = new Map<string, number>();

/** The value of a Kubernetes quantity such as `250m` or `1Gi`; what is not one is named in the error. */
export function quantity(text: string | number | undefined): number {
  if (text === undefined) return 0;
  if (typeof text === 'number') return text;
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const value = parseQuantity(text);
  if (value === undefined) throw new Error(`"${text}" is not a quantity; write one such as 250m, 1.5 or 512Mi.`);
  known.set(text, value);
  return value;
}
