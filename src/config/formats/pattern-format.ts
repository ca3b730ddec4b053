import { quote } from './quote.ts';
import type { TextFormat } from './value-types.ts';

interface PatternFormat extends Omit<TextFormat, 'check'> {
  /** Follows the quoted value when nothing more particular is known to be wrong. */
  readonly otherwise: string;
  /** Looks for the mistakes people make, so that the message can say what to write instead. */
  readonly diagnose?: (text: string) => string | undefined;
}

/** A format whose pattern refuses whatever its diagnosis lets through, so that schema and start-up never contradict. */
export function patternFormat({ otherwise, diagnose, ...format }: PatternFormat): TextFormat {
  const pattern = new RegExp(format.pattern);
  return {
    ...format,
    check: (text) => diagnose?.(text) ?? (pattern.test(text) ? undefined : `${quote(text)} ${otherwise}`),
  };
}
