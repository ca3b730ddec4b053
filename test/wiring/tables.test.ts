import { describe, expect, it } from 'vitest';
import { configKeys } from './tables/config-keys.ts';
import { collectEvidence } from './tables/evidence.ts';
import { keyProblems, keyTable } from './tables/key-table.ts';
import { cardProblems, cardTable } from './tables/notification-table.ts';
import { rightsProblems, rightsTable } from './tables/rights.ts';
import { waysProblems } from './tables/ways-to-sleep.ts';

// Runs after the other files of this suite, on what they saw.
describe('the service as it is wired', () => {
  const evidence = collectEvidence();

  it('has an effect for every key of the configuration in each process that reads it, at a start and after a reload', async () => {
    expect(keyProblems(configKeys(), evidence)).toEqual([]);
    await expect(keyTable(configKeys(), evidence)).toMatchFileSnapshot('tables/keys.md');
  });

  it('sends the card of every event', async () => {
    expect(cardProblems(evidence.cards)).toEqual([]);
    await expect(cardTable(evidence.cards)).toMatchFileSnapshot('tables/cards.md');
  });

  it('asks the cluster for nothing that the chart does not grant, and is granted nothing that it does not ask for', async () => {
    expect(rightsProblems(evidence.releases)).toEqual({ notGranted: [], notUsed: [], tooWide: [] });
    expect(waysProblems(evidence.releases)).toEqual([]);
    await expect(rightsTable(evidence.releases)).toMatchFileSnapshot('tables/rights.md');
  });
});
