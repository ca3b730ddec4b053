import type { Report } from '../../run/outcome.ts';
import { Coverage, coverageTable, neverMet, phases } from '../coverage.ts';
import { brokenText, replayOfSeed, type SeedLine } from '../seed-line.ts';
import type { SeedOptions } from '../seed-run.ts';

/** Whoever is broken as often as this is known to be broken. */
const enoughFailures = 20;

/** What a long run has seen so far. */
export class Tally {
  readonly #coverage = new Coverage();
  readonly #worlds = new Map<string, number>();
  readonly #failures: { readonly name: string; readonly text: string }[] = [];
  #kept = 0;

  /** A seed was played to its end; the text is for who watches. */
  heard(line: SeedLine): string | undefined {
    this.#worlds.set(line.world, (this.#worlds.get(line.world) ?? 0) + 1);
    this.#coverage.add(line.coverage);
    if (line.violation === undefined) {
      this.#kept++;
      return undefined;
    }
    return this.#failed(line, brokenText(line));
  }

  /** The process that played the seed ended, or did not end. */
  lost({ seed, world = '' }: SeedOptions, why: string): string {
    return this.#failed(
      { seed, world },
      `Seed ${seed} in world ${world} had no end.\n${why}\nReplay it: ${replayOfSeed(seed, world)}`,
    );
  }

  #failed({ seed, world }: { readonly seed: number; readonly world: string }, text: string): string {
    this.#failures.push({ name: `seed ${seed} in world ${world}`, text });
    return text;
  }

  get seeds(): number {
    return this.#kept + this.#failures.length;
  }

  get violations(): number {
    return this.#failures.length;
  }

  /** How often each fault met each phase, in the order of the phases. */
  met(faults: readonly string[]): readonly { readonly name: string; readonly values: readonly number[] }[] {
    return faults.map((name) => ({ name, values: phases.map((phase) => this.#coverage.counts[name]?.[phase] ?? 0) }));
  }

  /** The faults that no seed has met. */
  missed(faults: readonly string[]): readonly string[] {
    return neverMet([this.#coverage.counts], faults);
  }

  get isHopeless(): boolean {
    return this.#failures.length >= enoughFailures;
  }

  /** One line for who watches. */
  progress(elapsedMs: number): string {
    const { length } = this.#failures;
    const broken = `${length} ${length === 1 ? 'violation' : 'violations'}`;
    return `${(elapsedMs / 60_000).toFixed(1)} min: ${this.#pace(elapsedMs)}, ${broken}`;
  }

  #pace(elapsedMs: number): string {
    return `${this.seeds} seeds, ${(this.seeds / (elapsedMs / 1_000)).toFixed(2)} a second`;
  }

  /** What was exercised, and what was not. */
  ending(elapsedMs: number, faults: readonly string[]): string {
    const worlds = [...this.#worlds].map(([name, seeds]) => `${name} ${seeds}`).join(', ');
    const missed = this.missed(faults);
    return [
      `${this.progress(elapsedMs)}; by world: ${worlds}`,
      coverageTable([this.#coverage.counts], faults),
      missed.length === 0 ? 'Every fault was met.' : missedText(missed, this.seeds),
    ].join('\n');
  }

  /** Each seed is a test, and that every fault was met is one; `faults` is empty where nobody expects to meet them all. */
  report(faults: readonly string[]): Report {
    const missed = this.missed(faults);
    const judged = faults.length > 0 ? 1 : 0;
    const met = missed.length === 0 ? [] : [{ name: 'meets every fault', text: missedText(missed, this.seeds) }];
    const failed = [...this.#failures, ...met];
    return {
      numPassedTests: this.#kept + judged - met.length,
      numFailedTests: failed.length,
      testResults: [
        {
          name: 'test/simulation',
          status: failed.length === 0 ? 'passed' : 'failed',
          assertionResults: failed.map(({ name, text }) => ({
            fullName: name,
            status: 'failed',
            failureMessages: [text],
          })),
        },
      ],
    };
  }
}

function missedText(missed: readonly string[], seeds: number): string {
  return `${missed.length === 1 ? '1 fault was' : `${missed.length} faults were`} never met in ${seeds} seeds: ${missed.join(', ')}.`;
}
