/** The colors of one appearance; lines and parts take theirs in order, each told from the next without its hue, too. */
export interface Theme {
  readonly name: 'light' | 'dark';
  readonly text: string;
  readonly grid: string;
  readonly lines: readonly string[];
  readonly parts: readonly string[];
}

export const themes: readonly Theme[] = [
  {
    name: 'light',
    text: '#24292f',
    grid: '#d0d7de',
    lines: ['#0b57d0', '#b3261e', '#57606a', '#1a7f37'],
    parts: ['#9ec5fe', '#0b57d0', '#1b2a4e', '#e3a008', '#b3261e', '#8c959f'],
  },
  {
    name: 'dark',
    text: '#e6edf3',
    grid: '#3d444d',
    lines: ['#7cacf8', '#f2b8b5', '#9ea7b3', '#7ee2a8'],
    parts: ['#cfe2ff', '#5b9bf8', '#2f5fb3', '#f5c451', '#f08a80', '#8b949e'],
  },
];

export function shown(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
