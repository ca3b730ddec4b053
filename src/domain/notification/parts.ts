import type { Message, MessageSection } from './message.ts';

/**
 * A casualty list is never cut, and chat products take only so much in one card: what does not fit goes on in further
 * messages that say `(2 of 3)`. `sizeOf` is what one line costs.
 */
export function inParts(message: Message, budget: number, sizeOf: (line: string) => number): readonly Message[] {
  const pages = paginate(message.sections, budget, sizeOf);
  if (pages.length <= 1) return [message];
  return pages.map((sections, index) => ({
    ...message,
    title: `${message.title} (${index + 1} of ${pages.length})`,
    sections,
    // Said once is enough.
    ...(index === 0 ? {} : { facts: [] }),
  }));
}

function paginate(
  sections: readonly MessageSection[],
  budget: number,
  sizeOf: (line: string) => number,
): readonly (readonly MessageSection[])[] {
  const pages: { heading: MessageSection['heading']; lines: string[] }[][] = [[]];
  let used = 0;
  for (const { heading, lines } of sections) {
    for (const line of lines) {
      const size = sizeOf(line);
      if (used > 0 && used + size > budget) {
        pages.push([]);
        used = 0;
      }
      const page = pages.at(-1)!;
      const open = page.at(-1);
      if (open?.heading === heading) open.lines.push(line);
      else page.push({ heading, lines: [line] });
      used += size;
    }
  }
  return pages;
}
