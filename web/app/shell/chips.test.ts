import { describe, expect, it } from 'vitest';
import { status } from '../../fixtures/status.ts';
import { topChips } from './chips.ts';

const stood = {
  source: 'admin',
  actor: 'ada@example.com',
  at: '2026-11-03T10:00:00.000Z',
  configuration: false,
  handbackDone: false,
} as const;

describe('the chips of the top bar', () => {
  const texts = (parts: Parameters<typeof status>[0]) =>
    topChips(status(parts)).map(({ text, color }) => [text, color]);

  it('are none while all is well', () => {
    expect(texts({})).toEqual([]);
  });

  it('name the admin who stood the service down', () => {
    expect(texts({ standDown: stood })).toEqual([['Not scaling - stood down by ada@example.com', 'error']]);
  });

  it('name the configuration', () => {
    const standDown = { ...stood, source: 'configuration', actor: 'configuration', configuration: true } as const;
    expect(texts({ standDown })).toEqual([['Not scaling - stood down by configuration', 'error']]);
    expect(topChips(status({ standDown }))[0]?.next).toBe('Set config.global.enabled to true to end it.');
  });

  it('say that both have to end when an admin and the configuration hold one', () => {
    const [chip] = topChips(status({ standDown: { ...stood, configuration: true } }));
    expect(chip?.means).toContain('The configuration holds one as well: both have to end.');
    expect(chip?.next).toBe(
      'An admin ends the one in Manual Control; config.global.enabled set to true ends the other.',
    );
  });

  const license: ['red' | 'amber', string, string][] = [
    ['red', 'Not scaling - unlicensed', 'error'],
    ['red', 'Not scaling - license check failed', 'error'],
    ['amber', 'License check failing', 'warning'],
    ['amber', 'License expires', 'warning'],
  ];
  it.each(license)('show a license that is %s as %s', (color, text, shown) => {
    const chip = { color, text, detail: 'because' };
    expect(texts({ license: { verdict: 'unlicensed', acts: false, chip } })).toEqual([[text, shown]]);
  });

  it('stand side by side', () => {
    const chip = { color: 'red', text: 'Not scaling - unlicensed', detail: 'because' } as const;
    const both = texts({ standDown: stood, license: { verdict: 'unlicensed', acts: false, chip }, dryRun: true });
    expect(both.map(([text]) => text)).toEqual([
      'Not scaling - stood down by ada@example.com',
      'Not scaling - unlicensed',
      'Dry run',
    ]);
  });
});
