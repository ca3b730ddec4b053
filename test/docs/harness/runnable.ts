import type { Fence, Page } from './page.ts';

/** A block that is run as it stands, with the answer that the page shows for it. */
export interface RunnableBlock {
  readonly script: string;
  readonly line: number;
  readonly answer?: string;
}

/** Blocks marked `sh runnable`; a block marked `text answer` right after one is what it prints. */
export function runnableBlocks({ fences }: Page): readonly RunnableBlock[] {
  return fences.flatMap((fence, index) => {
    if (!isRunnable(fence)) return [];
    const next = fences[index + 1];
    const answer = next?.info.includes('answer') ? next.text : undefined;
    return [{ script: fence.text, line: fence.line, ...(answer === undefined ? {} : { answer }) }];
  });
}

function isRunnable({ info }: Fence): boolean {
  return info[0] === 'sh' && info.includes('runnable');
}

/**
 * Whether a shown answer is what was printed. `<anything>` stands for some characters of a line, a line `…` for any lines.
 * Undefined when it is; else what was expected and what came.
 */
export function differenceOf(shown: string, printed: string): string | undefined {
  const lines = shown.split('\n').map((line) => {
    if (line.trim() === '…') return '(?:.*\\n)*?';
    const parts = line.trimEnd().split(/<[^<>\s][^<>]*>/);
    return `${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ +/g, ' +')).join('.+?')} *\\n`;
  });
  const text = `${printed.trimEnd()}\n`;
  return new RegExp(`^${lines.join('')}$`).test(text) ? undefined : `expected\n${shown}\nbut it printed\n${printed}`;
}
