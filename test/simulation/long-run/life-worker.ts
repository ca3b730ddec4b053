// Plays the seeds that its parent sends, and answers each with its line.
import { lineOf } from '../seed-line.ts';
import { runSeed, type SeedOptions } from '../seed-run.ts';

process.on('message', (asked: SeedOptions) => void runSeed(asked).then((result) => process.send?.(lineOf(result))));
process.on('disconnect', () => process.exit());
