/** An instant of the cluster's text form; 0 for a text that is none. */
export function instantOf(text: string | undefined): number {
  const instant = text === undefined ? 0 : Date.parse(text);
  return Number.isNaN(instant) ? 0 : instant;
}
