import { createHash } from 'node:crypto';

export interface BuildInputs {
  /** File name → content, of everything in the module that decides what is built. */
  readonly files: Readonly<Record<string, string>>;
  readonly ldflags: string;
  readonly goVersion: string;
  /** For example `linux/amd64`. */
  readonly platform: string;
}

/** The same inputs give the same key, whatever the order of the files; any difference gives another. */
export function buildKey(inputs: BuildInputs): string {
  const parts = [inputs.ldflags, inputs.goVersion, inputs.platform];
  for (const name of Object.keys(inputs.files).sort()) parts.push(name, inputs.files[name] ?? '');
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

/** The version that a go.mod requires of a module; it is written there and nowhere else. */
export function requiredVersion(goMod: string, module: string): string {
  for (const line of goMod.split('\n')) {
    const [name, version] = line
      .replace(/^\s*require\s+/, '')
      .trim()
      .split(/\s+/);
    if (name === module && version?.startsWith('v')) return version;
  }
  throw new Error(`go.mod requires no ${module}; add a line "require ${module} vX.Y.Z"`);
}
