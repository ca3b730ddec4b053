// How fast a real cluster of 1,000 Deployments is woken, against a bare loop of the same patches in the same run.
import type { Benchmark } from '../main.ts';
import { report } from '../transitions/figures.ts';
import { measureTransitions } from '../transitions/measure.ts';

export const run: Benchmark = async (args) => report('wake', (await measureTransitions(args)).wake);
