import { describe, expect, it } from 'vitest';
import { deployment } from '../../../test/support/builders/workloads.ts';
import type { Workload } from '../../domain/workload.ts';
import { OwnWrites } from './own-writes.ts';

const watched = (resourceVersion: string, parts = {}) => deployment({ resourceVersion, replicas: 3, ...parts });
const written = (resourceVersion: string, parts = {}) => deployment({ resourceVersion, replicas: 0, ...parts });

const modified = (object: Workload, previous?: Workload) => ({
  type: 'modified' as const,
  namespace: object.namespace,
  name: object.name,
  object,
  ...(previous && { previous }),
});
const deleted = (object: Workload) => ({ ...modified(object), type: 'deleted' as const });

/** Who has been told that answer while the watch was at the version before it. */
function noted(answer: Workload): OwnWrites {
  const own = new OwnWrites();
  own.note(answer, watched('8'));
  return own;
}

describe('our own writes', () => {
  it('are seen at once, before the watch has delivered them', () => {
    const own = noted(written('10'));
    expect(own.newest(watched('9')).replicas).toBe(0);
  });

  it('give way to what the watch delivers later', () => {
    const own = noted(written('10'));
    own.told(modified(watched('11')));
    expect(own.newest(watched('11')).replicas).toBe(3);
  });

  it('are not taken back by an event that is older than they are', () => {
    const own = noted(written('10'));
    own.told(modified(watched('9')));
    expect(own.newest(watched('9')).replicas).toBe(0);
  });

  it('are forgotten with a cluster that was restored from a backup: its versions have not come to them', () => {
    const own = noted(written('10'));
    own.forget();
    expect(own.newest(watched('4')).replicas).toBe(3);
  });

  it('are not taken back by an answer that comes late and is older', () => {
    const own = noted(written('10'));
    own.note(written('9', { replicas: 5 }), watched('8'));
    expect(own.newest(watched('8')).resourceVersion).toBe('10');
    own.note(written('10', { replicasSetBy: 'somebody' }), watched('8'));
    expect(own.newest(watched('8'))).toMatchObject({ replicasSetBy: 'somebody' });
  });

  it('are forgotten with a kind that is no longer watched', () => {
    const own = noted(written('10'));
    own.forgetKind('StatefulSet');
    expect(own.newest(watched('9')).replicas).toBe(0);
    own.forgetKind('Deployment');
    expect(own.newest(watched('9')).replicas).toBe(3);
  });

  it('compare versions as numbers: 10 is after 9', () => {
    const own = noted(written('9'));
    expect(own.newest(watched('10')).replicas).toBe(3);
  });

  it('say nothing about another object of the same name', () => {
    const own = noted(written('10'));
    expect(own.newest(watched('9', { uid: 'another' })).replicas).toBe(3);
  });

  it('are forgotten with the object', () => {
    const own = noted(written('10'));
    own.told(deleted(watched('9')));
    expect(own.newest(watched('9')).replicas).toBe(3);
  });

  describe('as the answer that makes an event needless', () => {
    it('are those of the same object in the same version', () => {
      const answer = written('10');
      const own = noted(answer);
      expect(own.answered({ uid: answer.uid, resourceVersion: '10' })).toBe(answer);
      expect(own.answered({ uid: answer.uid, resourceVersion: '11' })).toBeUndefined();
      expect(own.answered({ uid: 'another', resourceVersion: '10' })).toBeUndefined();
    });

    it.each([
      ['has told of it already', watched('10')],
      ['has told of more', watched('11')],
      ['has seen the object go', undefined],
    ])('are none where the watch %s: nothing would end them', (_, there) => {
      const own = new OwnWrites();
      const answer = written('10');
      own.note(answer, there);
      expect(own.answered(answer)).toBeUndefined();
    });

    it('are none once the object was made anew under its name', () => {
      const answer = written('10');
      const own = noted(answer);
      own.told(modified(watched('12', { uid: 'another' }), watched('9')));
      expect(own.answered(answer)).toBeUndefined();
    });

    it('are none once the watch is there', () => {
      const answer = written('10');
      const own = noted(answer);
      own.told(modified(answer));
      expect(own.answered(answer)).toBeUndefined();
    });

    it('are none where they say who set the level: a watch does not', () => {
      const read = written('10', { replicasSetBy: 'kubectl' });
      const own = noted(read);
      expect(own.answered(read)).toBeUndefined();
    });
  });
});
