// Lives of a cluster with faults, on all cores for a time, as `npm run test:simulation -- --hours H` plays them.
import { parseArgs } from 'node:util';
import { phases } from '../../test/simulation/coverage.ts';
import { faultNames } from '../../test/simulation/fault-names.ts';
import { askedBy } from '../../test/simulation/long-run/asked.ts';
import { playLong } from '../../test/simulation/long-run/play-long.ts';
import { worldNames } from '../../test/simulation/world/catalogue.ts';
import type { Benchmark } from '../main.ts';

const goalAnHour = 60_000;
const usage = `npm run bench -- simulation [--hours 1] [--from N]
Five virtual days of a cluster a seed, in turn of all worlds.`;

export const run: Benchmark = async (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      hours: { type: 'string', default: '1' },
      from: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return { figure: '0 seeds: help was asked for', pass: true };
  }
  const asked = askedBy({ SIMULATION_HOURS: values.hours, SIMULATION_FROM: values.from }, worldNames);
  const { tally, elapsedMs, byMinute } = await playLong(asked, (line) => console.log(line));
  const anHour = Math.round((tally.seeds / elapsedMs) * 3_600_000);
  const missed = tally.missed(faultNames).length;
  const kept = tally.violations === 0 && missed === 0;
  const violations = `${tally.violations} ${tally.violations === 1 ? 'violation' : 'violations'}`;
  return {
    figure: `${tally.seeds} lives of five days each, ${violations} (goal 0); ${faultNames.length - missed} of ${faultNames.length} faults met; ${anHour} an hour (goal ${goalAnHour})`,
    pass: kept && anHour >= goalAnHour,
    charts: [
      { title: 'How often each fault met which phase of a life', parts: phases, bars: tally.met(faultNames) },
      {
        title: 'Lives played',
        scale: 'linear',
        x: 'minutes',
        y: 'seeds',
        lines: [{ name: 'seeds', points: byMinute }],
      },
    ],
  };
};
