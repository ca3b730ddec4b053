export type Config = Readonly<Record<string, unknown>>;

/** One configuration of several parts: records go together, lists one after the other, and a value is set once. */
export function merged(parts: readonly Config[]): Config {
  return parts.reduce((all, part) => mergedRecords(all, part, ''), {});
}

/** The configuration with these values in place of its own; a list replaces a list. */
export function replaced(config: Config, parts: Config): Config {
  const entries = Object.entries(parts).map(([key, value]) => {
    const own = config[key];
    return [key, isRecord(own) && isRecord(value) ? replaced(own, value) : value] as const;
  });
  return { ...config, ...Object.fromEntries(entries) };
}

function mergedRecords(one: Config, other: Config, at: string): Config {
  const entries = Object.entries(other).map(([key, value]) => {
    const path = at === '' ? key : `${at}.${key}`;
    return [key, Object.hasOwn(one, key) ? mergedValues(one[key], value, path) : value] as const;
  });
  return { ...one, ...Object.fromEntries(entries) };
}

function mergedValues(one: unknown, other: unknown, path: string): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (isRecord(one) && isRecord(other)) return mergedRecords(one, other, path);
  if (one !== other) throw new Error(`Two rows want another ${path}: ${String(one)} and ${String(other)}.`);
  return one;
}

function isRecord(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
