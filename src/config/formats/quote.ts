const longestQuote = 80;

/** A value as an error message shows it: quoted, on one line, and never long. */
export function quote(value: string): string {
  return JSON.stringify(value.length > longestQuote ? `${value.slice(0, longestQuote - 1)}…` : value);
}
