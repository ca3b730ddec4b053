import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterFiles, clustersFolder } from './layout.ts';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';

export interface ProcessRecord {
  readonly owner: ProcessIdentity;
  readonly children: readonly ProcessIdentity[];
}

/** Written after every start of a process, so that a later run can end what a killed owner left behind. */
export async function recordProcesses(
  folder: string,
  children: readonly { name: string; pid: number }[],
): Promise<void> {
  const record: ProcessRecord = {
    owner: identify('owner', process.pid),
    children: children.map((child) => identify(child.name, child.pid)),
  };
  await writeFile(clusterFiles(folder).processes, JSON.stringify(record, null, 2));
}

export async function readProcesses(folder: string): Promise<ProcessRecord | undefined> {
  const text = await readFile(clusterFiles(folder).processes, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as ProcessRecord);
}

/** Whether the one who started the cluster in this folder is still there. */
export async function isOwned(folder: string): Promise<boolean> {
  const record = await readProcesses(folder);
  return record !== undefined && isAlive(record.owner);
}

/** Ends the processes and removes the folders of owners that are gone; says what it ended. */
export async function sweepLeftovers(base: string = clustersFolder()): Promise<string[]> {
  const swept: string[] = [];
  for (const name of await readdir(base).catch(() => [])) {
    const folder = join(base, name);
    const record = await readProcesses(folder);
    // A folder without a record belongs to a start that is only just beginning.
    if (record === undefined || isAlive(record.owner)) continue;
    for (const child of record.children.filter(isAlive)) {
      process.kill(child.pid, 'SIGKILL');
      swept.push(`${child.name} (${child.pid})`);
    }
    await rm(folder, { recursive: true, force: true });
  }
  return swept;
}
