import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { playerFlags } from '../player-flags.ts';
import type { SeedLine } from '../seed-line.ts';
import type { SeedOptions } from '../seed-run.ts';

export interface PlayerOptions {
  /** The program that plays: it gets a seed as a message, and answers with a line. */
  readonly program: string;
  /** A seed that takes longer than this has no end. */
  readonly patienceMs: number;
}

/** What a run asks for and hears. */
export interface Game {
  /** The next seed; undefined when the run is over. */
  next(): SeedOptions | undefined;
  heard(line: SeedLine): void;
  lost(asked: SeedOptions, why: string): void;
}

/** As many players as there are cores take one seed after the other; each seed that was begun is played to its end. */
export async function playOn(cores: number, game: Game, options: PlayerOptions): Promise<void> {
  await Promise.all(Array.from({ length: cores }, () => keepPlaying(game, options)));
}

async function keepPlaying(game: Game, options: PlayerOptions): Promise<void> {
  let player: Player | undefined;
  for (let asked = game.next(); asked !== undefined; asked = game.next()) {
    player ??= new Player(options);
    try {
      game.heard(await player.play(asked));
    } catch (error) {
      game.lost(asked, error instanceof Error ? error.message : String(error));
      player.stop();
      player = undefined;
    }
  }
  player?.stop();
}

/** A process that plays seeds: one that dies or hangs takes no other with it. */
class Player {
  readonly #child: ChildProcess;
  readonly #patienceMs: number;
  #errors = '';

  constructor({ program, patienceMs }: PlayerOptions) {
    this.#patienceMs = patienceMs;
    this.#child = fork(program, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [...playerFlags] });
    this.#child.stderr?.on('data', (piece) => {
      this.#errors = `${this.#errors}${piece}`.slice(-4_000);
    });
  }

  async play(asked: SeedOptions): Promise<SeedLine> {
    const over = new AbortController();
    const { signal } = over;
    const late = AbortSignal.timeout(this.#patienceMs);
    try {
      const answered = once(this.#child, 'message', { signal }).then(([line]) => line as SeedLine);
      const ended = once(this.#child, 'close', { signal }).then(([code, by]) => this.#ended(code ?? by));
      const hung = once(late, 'abort', { signal }).then(() => this.#hung());
      this.#child.send(asked);
      return await Promise.race([answered, ended, hung]);
    } finally {
      over.abort();
    }
  }

  #ended(how: string | number): never {
    throw new Error(`Its process ended with ${how}:\n${this.#errors}`);
  }

  #hung(): never {
    throw new Error(`It was given up after ${this.#patienceMs / 60_000} minutes.`);
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}
