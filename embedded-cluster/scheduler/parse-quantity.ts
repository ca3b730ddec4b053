const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const form = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/;

/** A Kubernetes quantity (`250m`, `128Mi`, `1e3`) as a number: cores, bytes or a count. Undefined when it is none. */
export function parseQuantity(text: string | number): number | undefined {
  const match = form.exec(String(text));
  if (match === null) return undefined;
  const [, digits = '', exponent, suffix = ''] = match;
  // Decimal suffixes are exponents: 250m is 250e-3, which is exact where 250 * 0.001 is not.
  if (exponent !== undefined) return Number(`${digits}e${exponent}`);
  const factor = factors[suffix] ?? 1;
  if (suffix === '' || suffix.endsWith('i')) return Number(digits) * factor;
  return Number(`${digits}e${Math.round(Math.log10(factor))}`);
}
