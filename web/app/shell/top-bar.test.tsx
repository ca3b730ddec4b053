import { describe, expect, it } from 'vitest';
import { fullAnswers } from '../../fixtures/answers.ts';
import { renderPage } from '../../fixtures/render-page.tsx';
import type { Freshness } from '../data/polling.ts';
import { useStatus } from '../data/queries.ts';
import { TopBar } from './top-bar.tsx';

const ignore = () => undefined;
interface Shown {
  readonly connected: boolean;
  readonly freshness: Freshness;
}

function Bar({ connected, freshness }: Shown) {
  const status = { ...useStatus(), freshness };
  return <TopBar status={status} connected={connected} onMenu={ignore} onPalette={ignore} onSheet={ignore} />;
}

const bar = (shown: Shown) => renderPage(() => <Bar {...shown} />, '/', fullAnswers());

describe('the top bar', () => {
  it.each([
    ['is live with the stream and a fresh answer', true, 'fresh', false],
    ['is not live without the stream', false, 'fresh', true],
    ['is not live while an answer is late', true, 'late', true],
    ['is not live while no answer comes', true, 'lost', true],
  ] as const)('%s', async (_, connected, freshness, said) => {
    expect((await bar({ connected, freshness })).includes('Not live')).toBe(said);
  });
});
