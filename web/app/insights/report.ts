/** One formula of a report: what it computes and how. */
export interface Formula {
  readonly label: string;
  readonly expression: string;
}

type Report = Readonly<Record<string, unknown>>;

export function formulasOf(report: Report): readonly Formula[] {
  const listed = report['formula'] ?? report['formulas'];
  if (!Array.isArray(listed)) return [];
  return listed.flatMap((entry: unknown) => {
    const { label, expression } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
    return typeof label === 'string' && typeof expression === 'string' ? [{ label, expression }] : [];
  });
}

export interface Figure {
  readonly name: string;
  readonly value: string;
}

export function numberText(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: value !== 0 && Math.abs(value) < 10 ? 2 : 1 });
}
