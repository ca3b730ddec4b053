import { type Config, configTextKey, diffConfig, formatConfigErrors, parseConfigText } from '../config/config.ts';
import type { Logger } from '../ports/logger.ts';

/** Stops a start, in the words that a reload would log. */
class InvalidConfiguration extends Error {
  override readonly name = 'InvalidConfiguration';
}

type Data = Readonly<Record<string, string>>;

/** The last good configuration: a reload that would be refused at a start is refused, and nothing changes. */
export class ConfigSource {
  readonly #logger: Logger;
  readonly #listeners = new Set<(config: Config) => void>();
  #current: Config;
  #refusal: string | undefined;

  constructor(data: Data | undefined, logger: Logger) {
    this.#logger = logger;
    const parsed = parse(data);
    if (!parsed.ok) throw new InvalidConfiguration(parsed.message);
    this.#current = parsed.config;
  }

  current(): Config {
    return this.#current;
  }

  /** Why the newest configuration was refused; undefined while it is in force. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  onChange(listener: (config: Config) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reload(data: Data | undefined): void {
    const parsed = parse(data);
    if (!parsed.ok) {
      this.#refusal = parsed.message;
      this.#logger.error('The changed configuration is refused; the last good one stays', { error: parsed.message });
    } else {
      const wasRefused = this.#refusal !== undefined;
      this.#refusal = undefined;
      const changed = diffConfig(this.#current, parsed.config);
      if (changed.length > 0) {
        this.#current = parsed.config;
        this.#logger.info('Configuration reloaded', { changed });
      } else if (!wasRefused) return;
    }
    for (const listener of this.#listeners) listener(this.#current);
  }
}

function parse(data: Data | undefined): { ok: true; config: Config } | { ok: false; message: string } {
  const text = data?.[configTextKey];
  if (text === undefined)
    return { ok: false, message: `invalid configuration: ConfigMap svc-config has no key ${configTextKey}` };
  const parsed = parseConfigText(text);
  return parsed.ok ? parsed : { ok: false, message: `invalid configuration: ${formatConfigErrors(parsed.errors)}` };
}
