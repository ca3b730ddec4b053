import { describe, expect, it } from 'vitest';
import { statusMeaning } from './status.ts';

describe('statusMeaning', () => {
  const rows: Record<string, [string, string, boolean]> = {
    'a running database': ['available', 'available', false],
    'one that has stopped': ['stopped', 'stopped', false],
    'one on its way down': ['stopping', 'stopping', false],
    'one on its way up': ['starting', 'starting', false],
    'one that is being made': ['creating', 'starting', false],
    'a nightly backup: up, and not to be stopped now': ['backing-up', 'available', true],
    'storage being optimised: up, and not to be stopped now': ['storage-optimization', 'available', true],
    'an upgrade: up, and not to be stopped now': ['upgrading', 'available', true],
    'a key that is gone': ['inaccessible-encryption-credentials', 'failed', false],
    'one that is being deleted': ['deleting', 'failed', false],
    'a word of a later release of the cloud': ['quantum-leaping', 'unknown', false],
    'no word at all': ['', 'unknown', false],
    'other case and blanks': [' Available ', 'available', false],
  };
  for (const [sentence, [status, condition, busy]] of Object.entries(rows)) {
    it(sentence, () => expect(statusMeaning(status)).toEqual({ condition, busy }));
  }
});
