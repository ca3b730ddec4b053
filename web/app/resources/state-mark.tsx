import type { Row } from './filters.ts';

const signs: Readonly<Record<Row['state'], readonly [sign: string, word: string, color: string]>> = {
  up: ['●', 'Up', 'var(--mui-palette-success-main)'],
  starting: ['◐', 'Starting', 'var(--mui-palette-warning-main)'],
  hibernated: ['☾', 'Hibernated', 'var(--mui-palette-info-main)'],
  down: ['○', 'Down', 'var(--mui-palette-text-secondary)'],
  excluded: ['—', 'Excluded', 'var(--mui-palette-text-secondary)'],
};

/** A sign, a word and a color: never the color alone. */
export function StateMark({ state }: { state: Row['state'] }) {
  const [sign, word, color] = signs[state];
  return (
    <span style={{ color, fontWeight: 600, whiteSpace: 'nowrap' }}>
      <span aria-hidden>{sign} </span>
      {word}
    </span>
  );
}
