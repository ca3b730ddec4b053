import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figuresFolder, type Recorded } from '../../../bench/recorded.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { lineChart, themes } from './line-chart.ts';
import { chartPath, type Figure, performancePage } from './performance-page.ts';

const root = join(import.meta.dirname, '../../..');

/** The page of figures and its pictures, from what the benchmarks have recorded. */
export function performanceFiles(): readonly GeneratedFile[] {
  const figures = recordedFigures();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return [
    { path: 'docs/performance.md', content: () => performancePage(figures, version) },
    ...figures.flatMap(({ name, recorded: { charts = [] } }) =>
      charts.flatMap((chart, index) =>
        themes.map((theme) => ({
          path: `docs/${chartPath(name, index, theme.name)}`,
          content: () => lineChart(chart, theme),
        })),
      ),
    ),
  ];
}

function recordedFigures(): readonly Figure[] {
  const files = existsSync(figuresFolder) ? readdirSync(figuresFolder).sort() : [];
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      recorded: JSON.parse(readFileSync(join(figuresFolder, file), 'utf8')) as Recorded,
    }));
}
