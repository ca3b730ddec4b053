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

/** Every number and text of a report with a name in words; lists and formulas are shown elsewhere. */
export function figuresOf(report: Report, prefix = ''): readonly Figure[] {
  return Object.entries(report).flatMap(([key, value]): readonly Figure[] => {
    const name = prefix === '' ? inWords(key) : `${prefix}, ${inWords(key).toLowerCase()}`;
    if (typeof value === 'number') return [{ name, value: numberText(value) }];
    if (typeof value === 'string' || typeof value === 'boolean') return [{ name, value: String(value) }];
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return figuresOf(value as Report, name);
    return [];
  });
}

export function numberText(value: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: value !== 0 && Math.abs(value) < 10 ? 2 : 1 });
}

function inWords(key: string): string {
  const words = key
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
