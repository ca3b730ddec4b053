import { afterEach, expect, it } from 'vitest';
import type { Manifest } from '../../../embedded-cluster/apply-objects.ts';
import { ControllerWorld, releaseNamespace } from '../../../test/support/controller-world.ts';
import { configMaps } from '../../domain/names.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 0, 5, 12);

let world: ControllerWorld;
afterEach(async () => {
  await world.stopController();
  world.cluster.stop();
});

function edit(changes: Readonly<Record<string, string>>): void {
  const metadata = { name: configMaps.state, namespace: releaseNamespace };
  const data = { ...world.stateData(), ...changes };
  world.cluster.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as Manifest]);
}

it('what was told and is stored again, because the note of it was lost, does not wait in the state for the next pass', async () => {
  world = new ControllerWorld({ startAt: noon });
  await world.startController();
  await world.clock.advance(minute);
  const at = (ms: number) => new Date(ms).toISOString();
  const now = world.clock.now();
  edit({ wake_override: JSON.stringify({ at: at(now), until: at(now + 60 * minute), by: 'ada@example.com' }) });
  await world.clock.advance(minute);
  expect(world.stateData()['phase']).toContain('wakeAnsweredAt');
  expect(world.stateData()['outbox'] ?? '').toBe('');

  edit({ phase: '' });
  await world.clock.advance(minute);
  expect(world.stateData()['phase']).toContain('wakeAnsweredAt');
  expect(world.stateData()['outbox'] ?? '').toBe('');
});
