/** Reads one variable; an empty one counts as absent. */
export function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

/** A port number from the environment, or the default; anything else stops the start with the variable's name. */
export function portVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  byDefault: number,
): number {
  const text = variable(env, name);
  if (text === undefined) return byDefault;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535))
    throw new Error(`${name} must be a port number from 0 to 65535, not ${JSON.stringify(text)}`);
  return port;
}
