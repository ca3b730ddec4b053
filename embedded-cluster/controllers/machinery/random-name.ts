import type { Random } from '../../ports/random.ts';

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const longestBase = 58;

/** A name as the apiserver generates it: the base, cut to fit, and five letters that spell nothing. */
export function randomName(base: string, random: Random): string {
  let name = base.slice(0, longestBase);
  for (let i = 0; i < 5; i++) name += alphabet[Math.floor(random.next() * alphabet.length)];
  return name;
}
