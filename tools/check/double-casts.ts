import { lineAt, type SourceFile, type Violation } from './violation.ts';

/** A cast through `unknown`, or to `never`, switches the compiler off; it stands only where a comment on it, or right above, says why that is right. */
export function doubleCasts({ path, text }: SourceFile): Violation[] {
  const lines = text.split('\n');
  return [...text.matchAll(/\bas\s+(?:unknown\s+as|never)\b/g)].flatMap((match) => {
    const line = lineAt(text, match.index);
    const here = lines[line - 1]!;
    if (isComment(here) || explains(here) || explains(lines[line - 2] ?? '')) return [];
    const message = `switches the compiler off ("${match[0]}"): decode the value, give it its type, or say in a comment beside it why the cast is right`;
    return [{ file: path, line, message }];
  });
}

const isComment = (line: string) => /^\s*(?:\/\/|\*|\/\*)/.test(line);
const explains = (line: string) => isComment(line) || /\s\/\/ \S/.test(line);
