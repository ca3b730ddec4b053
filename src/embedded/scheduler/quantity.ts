const units: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

const known = new Map<string, number>();

/** The value of a Kubernetes quantity such as `250m` or `1Gi`; what is not one is named in the error. */
export function quantity(text: string | number | undefined): number {
  if (text === undefined) return 0;
  if (typeof text === 'number') return text;
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const match = /^([+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)(n|u|m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$/.exec(text);
  if (match === null) throw new Error(`"${text}" is not a quantity; write one such as 250m, 1.5 or 512Mi.`);
  const value = Number(match[1]) * units[match[2] ?? '']!;
  known.set(text, value);
  return value;
}
