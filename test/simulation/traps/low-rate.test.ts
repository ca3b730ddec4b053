import { expect, it } from 'vitest';
import { standDownIntent } from '../actors/state-intents.ts';
import { ann, minute, OfficeWorld } from '../office-world.ts';

/** As many as may be written at one time would wait for ten seconds for their turn. */
const kubernetesQPS = 5;
const second = 1_000;

it('what waits for its turn with the apiserver when a stop comes is little', async () => {
  const workloads = Array.from({ length: 60 }, (_, index) => {
    return { kind: 'Deployment', namespace: 'shop', name: `w${index}`, replicas: 1 } as const;
  });
  const config = { controller: { kubernetesQPS, kubernetesBurst: kubernetesQPS } };
  const world = await new OfficeWorld({ workloads, config }).at(20);
  const down = () => Object.values(world.levels()).filter((level) => level === 0).length;
  while (down() === 0) await world.advance(50);
  await standDownIntent(world, { type: 'admin-stands-down', actor: ann });
  const before = down();
  let most = before;
  const unlisten = world.store.onAnyChange(() => {
    most = Math.max(most, down());
  });
  await world.advance(20 * second);
  unlisten();
  expect(most - before).toBeLessThanOrEqual(2 * kubernetesQPS);
  await world.advance(5 * minute);
  expect(down()).toBe(0);
  world.kill();
});
