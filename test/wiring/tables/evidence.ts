import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventKey } from '../../../src/domain/notification/event-keys.ts';
import type { ProcessName } from '../harness/bundles.ts';
import type { SeenRelease } from './rights.ts';

export type Moment = 'start' | 'reload';

/** That a key had its effect in a running process. */
export interface SeenKey {
  readonly key: string;
  readonly moment: Moment;
  readonly in: ProcessName;
  /** How the effect is seen. */
  readonly how: string;
}

/** That a process sent the card of an event, and what was done for it. */
export interface SentCard {
  readonly key: EventKey;
  readonly how: string;
}

/** What one file of this suite saw. */
export interface Evidence {
  readonly keys: readonly SeenKey[];
  readonly cards: readonly SentCard[];
  readonly releases: readonly SeenRelease[];
}

const folder = fileURLToPath(new URL('../../../artifacts/wiring', import.meta.url));

/** The run that this process is a part of, as `vitest.config.ts` names it to all of them. */
const thisRun = process.env['WIRING_RUN'] ?? '';

export interface Run {
  readonly name: string;
  readonly folder: string;
}

const current: Run = { name: thisRun, folder };

/** Collects what one file sees; written when it is through, so that a file that fails halfway leaves what it saw. */
export class EvidenceFile {
  readonly #path: string;
  readonly keys: SeenKey[] = [];
  readonly cards: SentCard[] = [];
  readonly releases: SeenRelease[] = [];

  readonly #run: string;

  /** What an earlier run left under this name is gone. */
  constructor(name: string, run: Run = current) {
    mkdirSync(run.folder, { recursive: true });
    this.#run = run.name;
    this.#path = join(run.folder, `${name}.json`);
    rmSync(this.#path, { force: true });
  }

  save(): void {
    const { keys, cards, releases } = this;
    writeFileSync(this.#path, JSON.stringify({ run: this.#run, keys, cards, releases } satisfies SavedEvidence));
  }
}

interface SavedEvidence extends Evidence {
  readonly run: string;
}

/** What all files of the run saw, and nothing that an earlier one left: a key that lost its effect since would look used. */
export function collectEvidence({ name, folder: from }: Run = current): Evidence {
  const all = readdirSync(from)
    .map((file) => JSON.parse(readFileSync(join(from, file), 'utf8')) as SavedEvidence)
    .filter(({ run }) => run === name);
  return {
    keys: all.flatMap(({ keys }) => keys),
    cards: all.flatMap(({ cards }) => cards),
    releases: all.flatMap(({ releases }) => releases),
  };
}
