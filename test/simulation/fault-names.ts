import { lasting } from './actors/lasting.ts';
import { trouble } from './actors/trouble.ts';
import { lateInput } from './world/late-inputs.ts';

/** What strikes single requests. */
const requests = [409, 429, 500, 503, 504].map((status) => `answer ${status}`);

/** Every fault that a run of many seeds has to meet. */
export const faultNames: readonly string[] = [
  ...[...trouble, ...lasting].map(({ name }) => name),
  ...requests,
  'reset',
  'silence',
  'delay',
  'late',
  'crash',
  lateInput,
];
