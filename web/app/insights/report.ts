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

/** Small figures keep two digits that say something, large ones one behind the point. */
export function numberText(value: number): string {
  const small = value !== 0 && Math.abs(value) < 1;
  return value.toLocaleString('en-GB', small ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 });
}

/** What was saved beside what the schedule alone would have saved; a nap in working hours was not planned. */
export function ofPlanned(saved: number, planned: number): string {
  return planned === 0
    ? `${numberText(saved)}, none planned`
    : `${numberText(saved)} of ${numberText(planned)} planned`;
}
