import { type Config, type ConfigRefusal, formatConfigErrors } from '../config/config.ts';
import type { RegionalHolidays } from '../domain/holiday/regional-holidays.ts';
import type { ConfigSource } from '../platform/config-source.ts';
import type { Logger } from '../ports/logger.ts';
import { type CompiledConfig, type CompileOptions, compileConfig } from './compiled-config.ts';
import type { HolidaySource } from './holiday-source.ts';

export interface ConfigurationOptions extends Omit<CompileOptions, 'holidays'> {
  readonly source: ConfigSource;
  readonly holidays: HolidaySource;
  readonly logger: Logger;
}

/**
 * The configuration in force, compiled. A new one comes into force when its holidays are known too: a schedule that
 * misses them would wake a cluster on a day off.
 */
export class Configuration {
  readonly #options: ConfigurationOptions;
  readonly #listeners = new Set<(compiled: CompiledConfig) => void>();
  #current: CompiledConfig;
  /** The newest one is good but for its holidays, which could not be loaded. */
  #withoutHolidays: ConfigRefusal | undefined;

  private constructor(options: ConfigurationOptions, current: CompiledConfig) {
    this.#options = options;
    this.#current = current;
    options.source.onChange((config) => this.#heard(config));
  }

  static async start(options: ConfigurationOptions): Promise<Configuration> {
    const config = options.source.current();
    const holidays = await options.holidays.of(config.holidays);
    const configuration = new Configuration(options, compileConfig(config, { ...options, holidays }));
    // It may have changed while the holidays were loaded.
    if (options.source.current() !== config) configuration.#heard(options.source.current());
    return configuration;
  }

  current(): CompiledConfig {
    return this.#current;
  }

  /** Why the newest one was refused; undefined while it is in force. */
  refusal(): ConfigRefusal | undefined {
    return this.#options.source.refusal ?? this.#withoutHolidays;
  }

  /** Hears of each configuration that comes into force, and of each refusal, with what is in force then. */
  onChange(listener: (compiled: CompiledConfig) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #heard(config: Config): void {
    this.#withoutHolidays = undefined;
    if (config === this.#current.config) {
      this.#tell();
      return;
    }
    const holidays = this.#options.holidays.of(config.holidays);
    if (!(holidays instanceof Promise)) {
      this.#adopt(config, holidays);
      return;
    }
    // Unless a newer one has come meanwhile, and may be in force already.
    const isNewest = () => this.#options.source.current() === config;
    holidays.then(
      (known) => {
        if (isNewest()) this.#adopt(config, known);
      },
      (error: unknown) => {
        if (isNewest()) this.#refuse(String(error));
      },
    );
  }

  /** Told as any other refusal is: nobody looks into the log for the hours that a cluster does not keep. */
  #refuse(problem: string): void {
    const errors = [
      { path: 'holidays.regions', message: `their built-in dates cannot be loaded (${problem}); restart the process` },
    ];
    this.#withoutHolidays = { message: `invalid configuration: ${formatConfigErrors(errors)}`, errors };
    this.#options.logger.error('The changed configuration is refused; the last good one stays', {
      error: this.#withoutHolidays.message,
    });
    this.#tell();
  }

  #adopt(config: Config, holidays: RegionalHolidays): void {
    this.#current = compileConfig(config, { ...this.#options, holidays });
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.#current);
  }
}
