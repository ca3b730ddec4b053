interface View {
  readonly top: number;
  readonly height: number;
}

const beyond = 5;

/** Which rows to draw: those in sight and a few on both sides, so that a fast scroll shows no hole. */
export function windowOf(count: number, rowHeight: number, { top, height }: View): { first: number; last: number } {
  const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight) - beyond));
  const last = Math.min(count, Math.max(first, Math.ceil((top + height) / rowHeight) + beyond));
  return { first, last };
}
