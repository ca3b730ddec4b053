import { int } from '../../formats/value-types.ts';

export const queriesPerSecond = (whose: string) =>
  int({ default: 150, min: 1, max: 10_000, description: `Queries a second that ${whose} sends to the cluster API.` });

export const burst = (whose: string) =>
  int({ default: 200, min: 1, max: 20_000, description: `Queries that ${whose} may send at once.` });
