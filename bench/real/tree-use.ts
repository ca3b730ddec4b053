import { memoryField, processTree } from './process-tree.ts';
import { processorSeconds } from './processor-time.ts';

export interface Peak {
  readonly residentMiB: number;
  readonly anonymousMiB: number;
}

const sampleMs = 20;
/** Looking through all processes costs more than looking at those that are known. */
const lookEvery = 10;

/**
 * What the trees of these processes had at most, and what of the processors they took, from outside. Resident is the sum of the peaks
 * that the kernel keeps of each process, so that none between two samples is missed; anonymous memory has no such peak and is sampled.
 */
export class TreeUse {
  readonly #roots: () => readonly number[];
  readonly #timer: NodeJS.Timeout;
  /** By process, the last that was seen of it: one that has ended took what it took. */
  readonly #processorSeconds = new Map<number, number>();
  #known: readonly number[] = [];
  #samples = 0;
  #resident = 0;
  #anonymous = 0;

  constructor(roots: () => readonly number[]) {
    this.#roots = roots;
    this.#timer = setInterval(() => this.#sample(), sampleMs);
  }

  get peak(): Peak {
    return { residentMiB: this.#resident / 1024, anonymousMiB: this.#anonymous / 1024 };
  }

  /** Since they started, all together. */
  get processorSeconds(): number {
    this.#look();
    return [...this.#processorSeconds.values()].reduce((sum, seconds) => sum + seconds, 0);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    if (this.#samples++ % lookEvery === 0) this.#look();
    const sum = (field: 'VmHWM' | 'RssAnon') => this.#known.reduce((all, pid) => all + memoryField(pid, field), 0);
    this.#resident = Math.max(this.#resident, sum('VmHWM'));
    this.#anonymous = Math.max(this.#anonymous, sum('RssAnon'));
    this.#readProcessors();
  }

  #look(): void {
    this.#known = [...new Set(this.#roots().flatMap(processTree))];
    this.#readProcessors();
  }

  #readProcessors(): void {
    for (const pid of this.#known) {
      try {
        this.#processorSeconds.set(pid, processorSeconds(pid));
      } catch {
        // It has ended since it was looked for.
      }
    }
  }
}
