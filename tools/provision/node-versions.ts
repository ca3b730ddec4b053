import { join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { cacheFolder } from './cache-folder.ts';
import { lastLine, progress, runCommand } from './run-command.ts';
import { Unavailable } from './unavailable.ts';

/** The lines of Node before ours that people still have on their machines. */
export const olderNodes = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' } as const;
export type OlderNode = keyof typeof olderNodes;

/** The npm package with the bare program for one platform: the `node` package would run an install script to fetch it. */
function nodePackage(version: string, platform: string = process.platform, arch: string = process.arch): string {
  return `node-${platform}-${arch}@${version}`;
}

/** Paths of older Nodes, by major version, installed from npm into the cache. */
export async function olderNodePrograms(): Promise<Readonly<Record<OlderNode, string>>> {
  const entries = await Promise.all(
    Object.entries(olderNodes).map(async ([major, version]) => [major, await nodeProgram(version)] as const),
  );
  return Object.fromEntries(entries) as Record<OlderNode, string>;
}

async function nodeProgram(version: string): Promise<string> {
  const wanted = nodePackage(version);
  const folder = await buildOnce(cacheFolder(), wanted.replace('@', '-'), async (prefix) => {
    progress(`Installing ${wanted} from npm (once) …`);
    const args = ['install', '--prefix', prefix, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', wanted];
    const result = await runCommand('npm', args);
    if (result.status !== 0) throw new Unavailable('nodes', `npm could not install ${wanted}: ${lastLine(result)}`);
  });
  return join(folder, 'node_modules', wanted.slice(0, wanted.lastIndexOf('@')), 'bin', 'node');
}
