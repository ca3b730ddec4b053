import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import { announcingState } from '../../../test/support/announcing-state.ts';
import { parseConfig } from '../../config/config.ts';
import { noHolidays } from '../../domain/holiday/regional-holidays.ts';
import type { Service } from '../../domain/redirect/service.ts';
import { standardFigures } from '../../domain/wake/verdict/figures.ts';
import { compileConfig } from '../../service/compiled-config.ts';
import { satellites } from '../../state/satellites.ts';
import type { CompanionStep } from './companion.ts';
import { Satellites } from './satellites.ts';

const service: Service = {
  namespace: 'shop',
  name: 'web',
  uid: 'u1',
  resourceVersion: '1',
  type: 'ClusterIP',
  selector: { app: 'web' },
  annotations: {},
  labels: {},
  ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
  deleting: false,
};

/** A wake in which the caches know of no satellite; `found` is what the apiserver itself answers. */
async function wake(found: () => Promise<unknown>, answer?: 'refuses writes') {
  const text = satellites.encode([{ namespace: 'shop', name: 'web', uid: 'u1', selector: { app: 'web' }, at: 0 }])!;
  const clock = new VirtualClock(0);
  const announcing = await announcingState(clock, { satellites: text }, answer);
  const { session, logger } = announcing;
  const parsed = parseConfig({ clusterName: 'c', externalUrl: 'https://svc.example.com' });
  if (!parsed.ok) throw new Error('the configuration is not good');
  const companion = new Satellites({
    settings: () => undefined,
    services: {
      read: async () => service,
      redirected: async () => [],
      redirect: unexpected,
      restore: unexpected,
      disown: unexpected,
      createSatellite: unexpected,
      removeSatellite: unexpected,
    },
  });
  const context = {
    ...announcing,
    signal: new AbortController().signal,
    compiled: compileConfig(parsed.config, { ownNamespace: 'svc', holidays: noHolidays, figures: standardFigures }),
    desired: { wanted: 'awake' },
    snapshot: { workloads: [], workload: () => undefined, indexOf: () => undefined, want: () => 'up' },
    clock,
    writer: { read: found },
  } as unknown as CompanionStep; // Only what the records use of the writer.
  const pending = await companion.wake(context).catch((error: unknown) => String(error));
  const told = logger.said('Redirect ended').map(({ fields }) => fields);
  return { pending, told, records: session.get(satellites) };
}

async function unexpected(): Promise<never> {
  throw new Error('nothing of this was expected');
}

describe('the record of a redirect', () => {
  it('goes when the apiserver itself knows of no satellite', async () => {
    expect(await wake(async () => undefined)).toEqual({
      pending: [],
      told: [{ service: 'shop/web', reason: 'nothing is left of the redirect' }],
      records: [],
    });
  });

  it('is not told to be gone when the write that drops it is refused', async () => {
    const { pending, told, records } = await wake(async () => undefined, 'refuses writes');
    expect([pending, told, records.length]).toEqual([
      'StateUnwritable: the state could not be written: svc-state is forbidden',
      [],
      1,
    ]);
  });

  it('stays while there is one that the caches have not heard of', async () => {
    const { pending, records } = await wake(async () => ({ kind: 'Deployment' }));
    expect([pending, records.length]).toEqual([['satellite shop/web'], 1]);
  });

  it('stays when the apiserver does not answer', async () => {
    const { pending, records } = await wake(() => Promise.reject(new Error('no answer')));
    expect([pending, records.length]).toEqual([['satellite shop/web'], 1]);
  });
});
