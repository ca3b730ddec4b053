import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretPlace } from '../../domain/notification/destinations.ts';
import { variable } from '../../platform/process-environment.ts';

const shortestKey = 32;

/** Shared keys by where the configuration says they are. */
export interface SharedKeys {
  /** Newest first, never empty. Rejects with the reason when there is none that can be used. */
  keys(place: SecretPlace): Promise<readonly Uint8Array[]>;
}

/**
 * Secrets that the chart mounts as `<folder>/<secret>/<key>`. A file holds one key a line, base64 of 32 random bytes or
 * more: the first signs, all of them verify, so that a key can be exchanged without a moment in which nothing matches.
 */
export class KeyFolder implements SharedKeys {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async keys({ name, key }: SecretPlace): Promise<readonly Uint8Array[]> {
    const shown = `key ${key} of Secret ${name}`;
    if ([name, key].some((part) => part === '' || part.startsWith('.') || /[/\\\0]/.test(part))) {
      throw new Error(`${shown} is not a name`);
    }
    const text = await readFile(join(this.#folder, name, key), 'utf8').catch(() => {
      throw new Error(`${shown} is not mounted`);
    });
    return parseKeys(text, shown);
  }
}

/** Where the chart mounts them, unless the environment says otherwise. */
export function mountedKeys(env: Readonly<Record<string, string | undefined>>): KeyFolder {
  return new KeyFolder(variable(env, 'KEYS_FOLDER') ?? '/etc/svc/keys');
}

export function parseKeys(text: string, shown: string): readonly Uint8Array[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(keyBytes);
  if (keys.length === 0) throw new Error(`${shown} is empty`);
  const short = keys.findIndex((key) => key.length < shortestKey);
  if (short >= 0) throw new Error(`${shown} holds fewer than ${shortestKey} bytes in line ${short + 1}`);
  return keys;
}

function keyBytes(line: string): Uint8Array {
  const decoded = /^[A-Za-z0-9+/]+={0,2}$/.test(line) ? Buffer.from(line, 'base64') : undefined;
  return decoded !== undefined && decoded.length >= shortestKey ? decoded : Buffer.from(line, 'utf8');
}
