// Does what the world of a seed is called.
import type { SeedOptions } from '../seed-run.ts';

process.on('message', ({ seed, world }: SeedOptions) => {
  if (world === 'answers') process.send?.({ seed, world });
  if (world === 'dies') process.stderr.write('why', () => process.exit(3));
});
process.on('disconnect', () => process.exit());
