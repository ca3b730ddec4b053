interface Setting {
  readonly path: string;
  readonly value: unknown;
}

export interface ConfiguredDatabase {
  readonly name: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Settings of a map are one line a field: `databases.orders.region`, or `databases["orders.eu"].region`. */
export function databasesOf(settings: readonly Setting[]): readonly ConfiguredDatabase[] {
  const found = new Map<string, (readonly [string, string])[]>();
  for (const { path, value } of settings) {
    const match = /^(?:config\.)?databases(?:\["(.+?)"\]|\.([^.[]+))(?:\.(.+))?$/.exec(path);
    const name = match?.[1] ?? match?.[2];
    if (name === undefined) continue;
    const fields = found.get(name) ?? [];
    found.set(name, fields);
    if (value !== '' && value !== undefined && value !== null) fields.push([match?.[3] ?? 'value', textOf(value)]);
  }
  return [...found].map(([name, fields]) => ({ name, fields }));
}

export interface Redirection {
  readonly enabled: boolean;
  readonly services: readonly { readonly namespace: string; readonly name: string }[];
}

export function redirectionOf(settings: readonly Setting[]): Redirection {
  const setting = (name: string) => settings.find(({ path }) => path.replace(/^config\./, '') === name)?.value;
  const listed = setting('serviceRedirection.services');
  const services = (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => {
    const { namespace, name } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
    return typeof name === 'string' ? [{ namespace: typeof namespace === 'string' ? namespace : '', name }] : [];
  });
  return { enabled: setting('serviceRedirection.enabled') === true, services };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
