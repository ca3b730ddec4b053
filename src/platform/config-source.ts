import {
  type Config,
  type ConfigRefusal,
  configTextKey,
  diffConfig,
  formatConfigErrors,
  parseConfigText,
} from '../config/config.ts';
import { defaultConfig } from '../config/parse-config.ts';
import type { Logger } from '../ports/logger.ts';

/** Stops a start, in the words that a reload would log. */
export class InvalidConfiguration extends Error {
  override readonly name = 'InvalidConfiguration';
}

/**
 * What a configuration that is refused means for a start. A process must not scale by half a configuration; a command that
 * stops everything must work with any.
 */
export type RefusedAtStart = 'stops' | 'goes on with what can be read';

type Refused = ConfigRefusal & { readonly readable?: Config };

type Data = Readonly<Record<string, string>>;

/** The last good configuration: a reload that would be refused at a start is refused, and nothing changes. */
export class ConfigSource {
  readonly #logger: Logger;
  readonly #listeners = new Set<(config: Config) => void>();
  #current: Config;
  #refusal: ConfigRefusal | undefined;

  constructor(data: Data | undefined, logger: Logger, atStart: RefusedAtStart = 'stops') {
    this.#logger = logger;
    const parsed = parse(data);
    if (!parsed.ok && atStart === 'stops') throw new InvalidConfiguration(parsed.message);
    if (parsed.ok) this.#current = parsed.config;
    else {
      this.#current = parsed.readable ?? defaultConfig;
      this.#refusal = { message: parsed.message, errors: parsed.errors };
    }
  }

  current(): Config {
    return this.#current;
  }

  /** Why the newest configuration was refused; undefined while it is in force. */
  get refusal(): ConfigRefusal | undefined {
    return this.#refusal;
  }

  /** Hears of each configuration that comes into force, and of each that is refused or no longer is. */
  onChange(listener: (config: Config) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reload(data: Data | undefined): void {
    const parsed = parse(data);
    if (!parsed.ok) {
      this.#refusal = { message: parsed.message, errors: parsed.errors };
      this.#logger.error('The changed configuration is refused; the last good one stays', { error: parsed.message });
    } else {
      const mended = this.#refusal !== undefined;
      this.#refusal = undefined;
      const changed = diffConfig(this.#current, parsed.config);
      // Back to what is in force changes nothing, but whoever heard of the refusal must hear that it is over.
      if (changed.length === 0 && !mended) return;
      if (changed.length > 0) this.#current = parsed.config;
      this.#logger.info(mended ? 'The configuration is good again' : 'Configuration reloaded', { changed });
    }
    for (const listener of this.#listeners) listener(this.#current);
  }
}

function parse(data: Data | undefined): { ok: true; config: Config } | ({ ok: false } & Refused) {
  const text = data?.[configTextKey];
  if (text === undefined) {
    const message = `invalid configuration: ConfigMap svc-config has no key ${configTextKey}`;
    return { ok: false, message, errors: [] };
  }
  const parsed = parseConfigText(text);
  if (parsed.ok) return parsed;
  const { errors, readable } = parsed;
  const rest = readable === undefined ? {} : { readable };
  return { ok: false, ...rest, message: `invalid configuration: ${formatConfigErrors(errors)}`, errors };
}
