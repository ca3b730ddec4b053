/** What somebody wants of a long run. */
export interface Asked {
  readonly hours: number;
  readonly worlds: readonly string[];
  /** The first seed; left out, one that nobody has played yet. */
  readonly from?: number;
}

/** The flags of a long run, as `test/suites.ts` hands them on. Throws on what cannot be meant. */
export function askedBy(env: Readonly<Record<string, string | undefined>>, worldNames: readonly string[]): Asked {
  const { SIMULATION_HOURS, SIMULATION_SEEDS, SIMULATION_FROM, SIMULATION_WORLD } = env;
  const hours = Number(SIMULATION_HOURS);
  if (!(hours > 0 && hours < Number.POSITIVE_INFINITY)) {
    throw new Error(`--hours ${SIMULATION_HOURS}: it must be a number above 0, such as 1 or 0.05.`);
  }
  if (SIMULATION_SEEDS) throw new Error('--hours and --seeds: a run ends after a time or after a number of seeds.');
  const from = SIMULATION_FROM ? Number(SIMULATION_FROM) : undefined;
  if (from !== undefined && !(Number.isSafeInteger(from) && from >= 0)) {
    throw new Error(`--from ${SIMULATION_FROM}: it must be a whole number.`);
  }
  const worlds = SIMULATION_WORLD ? [SIMULATION_WORLD] : worldNames;
  const unknown = worlds.find((name) => !worldNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(`--world ${unknown}: there is no such world. It must be one of ${worldNames.join(', ')}.`);
  }
  return { hours, worlds, ...(from === undefined ? {} : { from }) };
}
