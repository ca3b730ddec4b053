import { readFile } from 'node:fs/promises';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

export interface WatchedFilesOptions {
  readonly paths: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs?: number;
  /** Hears the contents, in the order of the paths, when any has changed. */
  onChange(contents: readonly string[]): void;
}

/**
 * Looks at files by reading them now and then. A mounted ConfigMap or Secret is swapped by a symbolic link, which file
 * notifications report unreliably; and a half-swapped set of files settles by the next look.
 */
export class WatchedFiles {
  readonly #options: WatchedFilesOptions;
  #contents: readonly string[] = [];
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(options: WatchedFilesOptions) {
    this.#options = options;
  }

  /** Rejects when a file cannot be read at the start; later, the last contents stay. */
  async start(): Promise<readonly string[]> {
    this.#contents = await this.#read();
    this.#wait();
    return this.#contents;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #read(): Promise<string[]> {
    return Promise.all(this.#options.paths.map((path) => readFile(path, 'utf8')));
  }

  #wait(): void {
    if (this.#stopped) return;
    this.#cancel = this.#options.clock.after(this.#options.everyMs ?? 10_000, () => void this.#look());
  }

  async #look(): Promise<void> {
    try {
      const contents = await this.#read();
      if (contents.some((content, index) => content !== this.#contents[index])) {
        this.#contents = contents;
        this.#options.onChange(contents);
      }
    } catch (error) {
      this.#options.logger.warn('A mounted file cannot be read; what it held before stays', { error: String(error) });
    }
    this.#wait();
  }
}
