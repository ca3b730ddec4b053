import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { figuresFolder, type Recorded } from '../../../bench/recorded.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { barChart } from './bar-chart.ts';
import { chartPath, type Figure } from './figure-sections.ts';
import { lineChart } from './line-chart.ts';
import { performancePage, performanceQuestions } from './performance-page.ts';
import { reliabilityPage, reliabilityQuestions } from './reliability-page.ts';
import { themes } from './themes.ts';

const root = join(import.meta.dirname, '../../..');
const reliabilityPath = 'docs/reliability.md';

/** The pages of figures and their pictures, from what the benchmarks have recorded. */
export function figureFiles(): readonly GeneratedFile[] {
  const figures = recordedFigures();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return [
    { path: 'docs/performance.md', content: () => performancePage(figures, version) },
    {
      path: reliabilityPath,
      content: () => reliabilityPage(readFileSync(join(root, reliabilityPath), 'utf8'), figures, version),
    },
    ...figures.flatMap(({ name, recorded: { charts = [] } }) =>
      charts.flatMap((chart, index) =>
        themes.map((theme) => ({
          path: `docs/${chartPath(name, index, theme.name)}`,
          content: () => ('bars' in chart ? barChart(chart, theme) : lineChart(chart, theme)),
        })),
      ),
    ),
  ];
}

/** Throws on one that no page would show. */
function recordedFigures(): readonly Figure[] {
  const files = existsSync(figuresFolder) ? readdirSync(figuresFolder).sort() : [];
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const recorded = JSON.parse(readFileSync(join(figuresFolder, file), 'utf8')) as Recorded;
      if (!isAsked(recorded.benchmark)) throw new Error(`Say in a page of figures what ${recorded.benchmark} answers.`);
      return { name: file.slice(0, -'.json'.length), recorded };
    });
}

function isAsked(benchmark: string): boolean {
  return benchmark in performanceQuestions || benchmark in reliabilityQuestions;
}
