import { describe, expect, it } from 'vitest';
import { span } from '../../../../test/support/wake/scenario.ts';
import { type FailureReason, failureSentence, keptDetail, reasonCodes, reasonWords } from './failure-sentence.ts';
import { standardFigures } from './figures.ts';

const workload = 'Deployment shop/cart';

const rows: [FailureReason, words: string, sentence: string][] = [
  [{ code: 'unschedulable' }, 'was still Unschedulable after 15 minutes', ' '],
  [{ code: 'pending_no_node' }, 'was still Pending with no node after 15 minutes', ' '],
  [{ code: 'init_not_finished' }, 'its init containers had not finished after 15 minutes', ': '],
  [{ code: 'still_pulling' }, 'was still pulling its image after 15 minutes', ' '],
  [{ code: 'replicas_not_started' }, 'had not started every replica after 15 minutes', ' '],
  [{ code: 'pull_failed' }, 'could not pull its image in 15 minutes', ' '],
  [
    { code: 'container_refused', detail: 'CreateContainerConfigError' },
    'could not create its container (CreateContainerConfigError)',
    ' ',
  ],
  [{ code: 'invalid_image_reference' }, 'its image reference is not a valid reference', ': '],
  [{ code: 'image_never_pull' }, 'its image is not on the node and its pull policy forbids fetching it', ': '],
  [{ code: 'declared_budget', ms: span('20:00') }, 'did not finish starting within its declared 20 minutes', ' '],
  [{ code: 'default_budget', ms: span('10:00') }, 'did not finish starting within the default 10 minutes', ' '],
  [{ code: 'budget_cap' }, 'did not finish starting within the 30-minute cap', ' '],
  [{ code: 'restarted_twice' }, 'restarted twice before it was ready', ' '],
  [{ code: 'unreadable' }, 'could not be read', ' '],
  [
    { code: 'scale_refused', detail: 'admission webhook "q.example" denied the request' },
    'svc could not scale it up: admission webhook "q.example" denied the request',
    ': ',
  ],
];

describe('the words of a reason', () => {
  it.each(rows)('%j', (reason, words) => {
    expect(reasonWords(reason, standardFigures)).toBe(words);
  });

  it('cover all fifteen codes', () => {
    expect(new Set(rows.map(([reason]) => reason.code))).toEqual(new Set(reasonCodes));
    expect(reasonCodes).toHaveLength(15);
  });

  it.each<[number, string]>([
    [span('1:30'), '90 seconds'],
    [span('1:00'), '1 minute'],
    [span('2:30'), '2 minutes 30 seconds'],
  ])('write a declared budget of %d ms as %s', (ms, words) => {
    expect(reasonWords({ code: 'declared_budget', ms }, standardFigures)).toBe(
      `did not finish starting within its declared ${words}`,
    );
  });

  it('follow shorter figures', () => {
    const figures = { ...standardFigures, phase1Ms: 20_000, budgetCapMs: 30_000 };
    expect(reasonWords({ code: 'pull_failed' }, figures)).toBe('could not pull its image in 20 seconds');
    expect(reasonWords({ code: 'budget_cap' }, figures)).toBe('did not finish starting within the 30-second cap');
  });
});

describe('a failure sentence starts with the workload', () => {
  it.each(rows)('%j', (reason, words, joint) => {
    expect(failureSentence(workload, reason, standardFigures)).toBe(`Deployment shop/cart${joint}${words}`);
  });
});

describe("the cluster's message", () => {
  it('is kept on one line', () => {
    expect(keptDetail(' exceeded quota:\n  pods ')).toBe('exceeded quota: pods');
  });

  it('is whole at 200 characters and cut at 201', () => {
    expect(keptDetail('x'.repeat(200))).toBe('x'.repeat(200));
    expect(keptDetail('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  });
});
