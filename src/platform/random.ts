import { randomBytes, randomInt } from 'node:crypto';
import type { Random } from '../ports/random.ts';

export const cryptographicRandom: Random = {
  next: () => randomInt(0, 2 ** 47) / 2 ** 47,
  bytes: (length) => randomBytes(length),
};
