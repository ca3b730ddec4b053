import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DemoShell } from './harness/demo-shell.ts';
import { readPages } from './harness/repository.ts';
import { differenceOf, type RunnableBlock, runnableBlocks } from './harness/runnable.ts';

/** Pages that put the cluster to sleep come last: the others show one that is awake. */
const pages = readPages()
  .map((page) => ({ path: page.path, blocks: runnableBlocks(page) }))
  .filter(({ blocks }) => blocks.length > 0)
  .toSorted((a, b) => Number(hibernates(a.blocks)) - Number(hibernates(b.blocks)));

function hibernates(blocks: readonly RunnableBlock[]): boolean {
  return blocks.some(({ script }) => /svc hibernate/.test(script));
}

let shell: DemoShell;
beforeAll(async () => {
  shell = await DemoShell.start();
});
afterAll(() => shell.stop());

describe('what a page tells people to type does what it shows', () => {
  it.each(pages.map((page) => [page.path, page] as const))('%s', async (path, { blocks }) => {
    const runs = await shell.run(blocks);
    const wrong = blocks.flatMap(({ answer, line }, index) => {
      const { code, out } = runs[index]!;
      if (code !== 0) return [`${path}:${line}: it ended with ${code} and printed\n${out}`];
      const difference = answer === undefined ? undefined : differenceOf(answer, out);
      return difference === undefined ? [] : [`${path}:${line}: ${difference}`];
    });
    expect(wrong.join('\n')).toBe('');
  });

  it('kubectl completes the words of the plugin, as the page sets it up', async () => {
    const [ran] = await shell.run([
      {
        script: `ln -s ~/svc ~/kubectl-svc
svc completion kubectl > ~/kubectl_complete-svc && chmod +x ~/kubectl_complete-svc
kubectl __complete svc state ve 2> /dev/null`,
        line: 1,
      },
    ]);
    expect(ran?.out).toBe('verify\n:4\n');
  });

  it('finds a changed answer and a command that fails', async () => {
    const [changed, failing] = await shell.run([
      { script: 'svc license', line: 1 },
      { script: 'svc why deployment shop/nothing', line: 5 },
    ]);
    expect(differenceOf('unlicensed: <why>', changed?.out ?? '')).toContain('but it printed');
    expect(failing?.code).toBe(1);
  });
});
