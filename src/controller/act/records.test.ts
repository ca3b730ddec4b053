import { expect, it } from 'vitest';
import { deployment } from '../../../test/support/builders/workloads.ts';
import { replicaRecord } from '../../domain/record/record.ts';
import { resourceStates } from '../../state/resource-states.ts';
import { StateSession } from '../../state/session/state-session.ts';
import { set } from '../../state/snapshot.ts';
import { recordsByKey } from './records.ts';

it('records are indexed once while they are the same, and anew after a write', async () => {
  const session = new StateSession(
    {
      read: () => expect.unreachable('what was read is given'),
      write: async (_, changes) => ({
        outcome: 'done',
        state: { data: changes as Record<string, string>, resourceVersion: '2' },
      }),
      onChange: () => () => {},
    },
    { data: {}, resourceVersion: '1' },
  );
  const before = recordsByKey(session);
  expect(recordsByKey(session)).toBe(before);
  await session.write(set(resourceStates, [replicaRecord(deployment({ name: 'cart', namespace: 'shop' }), 3, 0)]));
  expect([...before.keys(), ...recordsByKey(session).keys()]).toEqual(['Deployment shop/cart']);
});
