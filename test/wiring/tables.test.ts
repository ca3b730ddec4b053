import { describe, expect, it } from 'vitest';
import { configKeys } from './tables/config-keys.ts';
import { collectEvidence } from './tables/evidence.ts';
import { keyProblems } from './tables/key-table.ts';
import { knownGaps } from './tables/known-gaps.ts';
import { cardProblems } from './tables/notification-table.ts';
import { rightsProblems } from './tables/rights.ts';

// Runs after the other files of this suite, on what they saw.
describe('the service as it is wired', () => {
  const evidence = collectEvidence();

  it('has an effect for every key of the configuration, at a start and after a reload', () => {
    expect(keyProblems(configKeys(), evidence).filter((problem) => !knownGaps.includes(problem))).toEqual([]);
  });

  it('sends the card of every event', () => {
    expect(cardProblems(evidence.cards).filter((problem) => !knownGaps.includes(problem))).toEqual([]);
  });

  it('asks the cluster for nothing that the chart does not grant, and is granted nothing that it does not ask for', () => {
    expect(rightsProblems(evidence.grants, evidence.calls)).toEqual({ notGranted: [], notUsed: [] });
  });
});
