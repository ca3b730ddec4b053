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

const leastSecretBytes = 32;
const howToMakeOne = 'generate one with: openssl rand -base64 32';

/** A secret that is sent in a header: the line break that editors leave at its end is no part of it. */
export function withoutLineEnd(secret: string): string {
  return secret.replace(/[\r\n]+$/, '');
}

/** Such a secret from the environment; one that is missing, short or cannot be sent stops the start with the variable's name. */
export function secretVariable(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const secret = withoutLineEnd(env[name] ?? '');
  if (secret === '') throw new Error(`The environment variable ${name} is not set.`);
  if (Buffer.byteLength(secret) < leastSecretBytes) {
    throw new Error(`${name} is shorter than ${leastSecretBytes} bytes; ${howToMakeOne}`);
  }
  if (!/^[\x21-\x7e]+$/.test(secret)) {
    throw new Error(`${name} must be printable ASCII without spaces; ${howToMakeOne}`);
  }
  return secret;
}
