import type { Recorded } from '../../../bench/recorded.ts';
import type { Theme } from './themes.ts';

export interface Figure {
  /** The name of its file, without the ending. */
  readonly name: string;
  readonly recorded: Recorded;
}

/** Of what a benchmark printed, on the page itself. */
const mostLines = 6;

/** What each benchmark answers, in the order of its page. */
export type Questions = Readonly<Record<string, string>>;

/** A section for each question of the page, with all figures that answer it. Throws where one is older than the code by a release. */
export function figureSections(questions: Questions, figures: readonly Figure[], version: string): readonly string[] {
  const order = Object.keys(questions);
  const own = figures.filter(({ recorded }) => order.includes(recorded.benchmark));
  const old = own.filter(({ recorded }) => releaseOf(recorded.version) !== releaseOf(version));
  if (old.length > 0) {
    const commands = old.map(({ recorded }) => `  ${recorded.command} --record   (${recorded.version})`);
    throw new Error(
      `These figures are of another release than ${version}. Measure them again:\n${commands.join('\n')}`,
    );
  }
  return order.flatMap((benchmark) => {
    const answers = own.filter(({ recorded }) => recorded.benchmark === benchmark);
    return answers.length === 0 ? [] : [`## ${questions[benchmark]}\n`, ...answers.map(answer)];
  });
}

function releaseOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

function answer({ name, recorded }: Figure): string {
  const { command, commit, date, cores, hostTookPercent, pass, figure, details, charts = [] } = recorded;
  return [
    `${pass ? 'Holds' : '**Misses its goal**'}: ${figure}`,
    '',
    `\`${command}\`, commit ${commit}, ${date}, ${cores} cores, the host took ${hostTookPercent} %.`,
    '',
    ...charts.flatMap(({ title }, index) => [picture(name, title, index), '']),
    ...printed(name, details),
  ].join('\n');
}

function picture(name: string, title: string, index: number): string {
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="${chartPath(name, index, 'dark')}">`;
  return `<picture>${dark}<img alt="${title}" src="${chartPath(name, index, 'light')}" width="720"></picture>`;
}

/** What goes on for longer would hide the figures: it is kept with its figure. */
function printed(name: string, details: readonly string[]): readonly string[] {
  if (details.length === 0) return [];
  if (details.length > mostLines)
    return [`All ${details.length} lines that it printed are in [its record](figures/${name}.json).`, ''];
  return ['```text', ...details, '```', ''];
}

/** From the folder of the documents. */
export function chartPath(name: string, index: number, theme: Theme['name']): string {
  return `figures/${name}-${index + 1}-${theme}.svg`;
}
