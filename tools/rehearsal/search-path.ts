import { delimiter, dirname, join } from 'node:path';

/** What the workflow's runner has beside the usual folders, wherever this machine keeps it. */
const programs = ['go', 'python3'] as const;
const usual = ['/usr/local/bin', '/usr/bin', '/bin'] as const;

/** The PATH of a step: the folders of a runner, and of whoever started it only those that a runner's programs are in. */
export function searchPath(first: readonly string[], started: string, usable: (program: string) => boolean): string {
  const folders = started.split(delimiter);
  const found = programs.flatMap((program) => {
    const hit = [...usual, ...folders].map((folder) => join(folder, program)).find(usable);
    return hit === undefined ? [] : [dirname(hit)];
  });
  return [...new Set([...first, ...usual, ...found])].join(delimiter);
}
