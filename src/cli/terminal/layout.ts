/** Columns as wide as their widest cell, without a border: for people, and for `grep`. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [headings, ...rows.map((row) => row.map(oneLine))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Text from the cluster may hold anything; a terminal must not be steered by it. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** `2026-01-05 08:00 (Europe/Berlin)`: a time is never without its zone. */
export function timeText(instant: string, timezone = 'UTC'): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
  return `${at.toPlainDate().toString()} ${at.toPlainTime().toString({ smallestUnit: 'minute' })} (${timezone})`;
}

export function bar(done: number, total: number, width = 24): string {
  const filled = total === 0 ? width : Math.round((done / total) * width);
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total}`;
}
