interface Setting {
  readonly path: string;
  readonly value: unknown;
  readonly source: string;
  readonly description: string;
}

export interface SettingGroup<T> {
  readonly name: string;
  readonly items: readonly T[];
}

/** Settings by their first word, in the order of the schema. */
export function groupSettings<T extends Setting>(
  settings: readonly T[],
  text: string,
  source: string,
): readonly SettingGroup<T>[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = settings.filter((setting) => {
    const said = `${setting.path} ${setting.description}`.toLowerCase();
    return (source === '' || setting.source === source) && words.every((word) => said.includes(word));
  });
  return [...Map.groupBy(found, ({ path }) => path.replace(/^config\./, '').split(/[.[]/)[0] ?? '')].map(
    ([name, items]) => ({ name, items }),
  );
}

export function settingText(value: unknown): string {
  if (value === '' || value === null || value === undefined) return '(empty)';
  if (Array.isArray(value) && value.length === 0) return '(none)';
  if (typeof value !== 'object') return String(value);
  return Object.keys(value).length === 0 ? '(none)' : JSON.stringify(value, null, 2);
}
