/** Public holidays that the simulated weeks can meet, from the calendar on the wall. */
const byRegion: Readonly<Record<string, readonly string[]>> = {
  'DE-BY': ['2026-01-01', '2026-01-06', '2026-04-03', '2026-04-06', '2026-05-01', '2026-06-04', '2026-11-01'],
  US: ['2026-01-01', '2026-01-19', '2026-05-25', '2026-06-19', '2026-11-11'],
};

export function holidaysOf(regions: readonly string[]): readonly string[] {
  return regions.flatMap((region) => {
    const dates = byRegion[region];
    if (dates === undefined) throw new Error(`The oracle knows no holidays of ${region}.`);
    return dates;
  });
}
