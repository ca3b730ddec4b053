export interface Setting {
  readonly path: string;
  readonly value: unknown;
  readonly source: string;
  readonly description: string;
}

export interface SettingGroup<T> {
  readonly name: string;
  readonly items: readonly T[];
  readonly changed: number;
}

/** Those whose path, description or value has every word; all of them when nothing is looked for. */
export function findSettings<T extends Setting>(settings: readonly T[], text: string): readonly T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter((setting) => {
    const said = `${setting.path} ${setting.description} ${settingText(setting.value)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

/** What somebody has set, in the order of the schema. */
export function changedSettings<T extends Setting>(settings: readonly T[]): readonly T[] {
  return settings.filter(({ source }) => source === 'configured');
}

/** Settings by their first word, in the order of the schema; single values that stand alone are one section. */
export function groupSettings<T extends Setting>(settings: readonly T[]): readonly SettingGroup<T>[] {
  const byName = Map.groupBy(settings, groupOf);
  return [...byName].map(([name, items]) => ({ name, items, changed: changedSettings(items).length }));
}

function groupOf({ path, value }: Setting): string {
  const [first = '', ...more] = path.replace(/^config\./, '').split(/[.[]/);
  return more.length === 0 && typeof value !== 'object' ? 'general' : first;
}

export function settingText(value: unknown): string {
  if (value === '' || value === null || value === undefined) return '(empty)';
  if (Array.isArray(value) && value.length === 0) return '(none)';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join('\n');
  return Object.keys(value).length === 0 ? '(none)' : JSON.stringify(value, null, 2);
}

/** `notifications` as a person would write it: `Notifications`, `Working hours`. */
export function groupTitle(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(?:api|aws|smtp|url)\b/g, (short) => short.toUpperCase());
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
