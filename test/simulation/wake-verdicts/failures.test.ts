import { describe, expect, it } from 'vitest';
import type { RequestFacts } from '../../../embedded-cluster/faults.ts';
import { nowhere } from '../../../embedded-cluster/kubelet/behaviour.ts';
import type { AuditEntry } from '../../../src/domain/audit/entry.ts';
import type { WorkloadParts } from '../../support/builders/manifests.ts';
import { OfficeWorld } from '../office-world.ts';
import { cart, wakeOf } from './wake-scenario.ts';

const probe = (periodSeconds: number, failureThreshold: number) => ({ periodSeconds, failureThreshold });
const stuck = { 'start-seconds': '3000' };

/** The pods of the workload, the sentence of its verdict, and the seconds after which the wake ended. */
const rows: readonly (readonly [WorkloadParts, string, number])[] = [
  [cart({ nodeSelector: nowhere }), 'Deployment shop/cart was still Unschedulable after 15 minutes', 900],
  [
    cart({ pod: { schedulerName: 'another' } }),
    'Deployment shop/cart was still Pending with no node after 15 minutes',
    900,
  ],
  [
    cart({ initContainers: ['migrate'], behaviour: { init: 'fail' } }),
    'Deployment shop/cart: its init containers had not finished after 15 minutes',
    1_200,
  ],
  [
    cart({ behaviour: { 'pull-seconds': '3000' } }),
    'Deployment shop/cart was still pulling its image after 15 minutes',
    900,
  ],
  [
    cart({ kind: 'StatefulSet', name: 'db', replicas: 2, ordered: true, behaviour: { 'never-ready': 'true' } }),
    'StatefulSet shop/db had not started every replica after 15 minutes',
    900,
  ],
  [cart({ behaviour: { pull: 'fail' } }), 'Deployment shop/cart could not pull its image in 15 minutes', 900],
  [
    cart({ behaviour: { create: 'CreateContainerConfigError' } }),
    'Deployment shop/cart could not create its container (CreateContainerConfigError)',
    900,
  ],
  [
    cart({ behaviour: { image: 'invalid' } }),
    'Deployment shop/cart: its image reference is not a valid reference',
    900,
  ],
  [
    cart({ behaviour: { image: 'never' } }),
    'Deployment shop/cart: its image is not on the node and its pull policy forbids fetching it',
    900,
  ],
  [
    cart({ startupProbe: probe(10, 120), behaviour: stuck }),
    'Deployment shop/cart did not finish starting within its declared 20 minutes',
    1_501,
  ],
  [
    cart({ behaviour: { 'never-ready': 'true' } }),
    'Deployment shop/cart did not finish starting within the default 10 minutes',
    601,
  ],
  [
    cart({ startupProbe: probe(10, 240), behaviour: stuck }),
    'Deployment shop/cart did not finish starting within the 30-minute cap',
    1_801,
  ],
  [
    cart({ behaviour: { 'crash-after-seconds': '5' } }),
    'Deployment shop/cart restarted twice before it was ready',
    321,
  ],
];

describe('a workload that does not come up, through the controller', () => {
  it.each(rows.map(([parts, sentence, seconds]) => ({ parts, sentence, seconds })))(
    '$sentence',
    async ({ parts, sentence, seconds }) => {
      const { entry, world } = await wakeOf([parts]);
      expect(entry).toMatchObject({
        title: 'Wake Complete - 1 workload failed',
        result: 'failed',
        workloads_failed_detail: [sentence],
        workloads_recovered_detail: [],
      });
      expect(Math.abs(entry.durationMs! / 1_000 - seconds)).toBeLessThan(3);
      const card = world.notices.find(({ title }) => title === 'Wake Complete - 1 workload failed');
      expect(card).toMatchObject({ color: 'red', casualties: [sentence] });
    },
  );

  it('Deployment shop/cart: svc could not scale it up: its message, in a minute', async () => {
    const world = await new OfficeWorld({ workloads: [cart({})] }).at(31, 59);
    const message = 'admission webhook "freeze.example.com" denied the request: no changes today';
    world.cluster.api.faults.add({
      match: ({ verb, name }) => verb === 'patch' && name === 'cart',
      effect: { kind: 'fail', status: 403, message },
    });
    await world.at(32, 1);
    expect(world.audited('Wake Complete - 1 workload failed')).toMatchObject([
      { workloads_failed_detail: [`Deployment shop/cart: svc could not scale it up: ${message}`] },
    ]);
  });

  it.each([
    { title: 'Wake Complete', from: 31, to: 33, level: 1 },
    { title: 'Hibernation Complete', from: 13, to: 21, level: 0 },
  ])('$title: a refusal that passes is no verdict', async ({ title, from, to, level }) => {
    // An apiserver that has just started has not read the roles yet, and refuses for a moment what it allows.
    const world = await new OfficeWorld({ workloads: [cart({})] }).at(from);
    world.cluster.api.faults.add({
      match: ({ verb, name }) => verb === 'patch' && name === 'cart',
      effect: { kind: 'fail', status: 403, message: 'User "svc" cannot patch resource "deployments"' },
      times: 3,
    });
    await world.at(to);
    expect(world.level('Deployment shop/cart')).toBe(level);
    expect(world.audited(title)).toMatchObject([{ result: 'success' }]);
  });

  it('refusals with silence between them do not last: each is that of an apiserver that has just started', async () => {
    const world = await new OfficeWorld({ workloads: [cart({})] }).at(31, 59);
    const match = ({ verb, name }: RequestFacts) => verb === 'patch' && name === 'cart';
    const refuse = { match, effect: { kind: 'fail', status: 403 }, times: 1 } as const;
    world.cluster.api.faults.add(refuse);
    await world.at(32);
    await world.advance(500);
    const away = world.cluster.api.faults.add({ match, effect: { kind: 'drop', when: 'before' } });
    await world.advance(20_000);
    away();
    world.cluster.api.faults.add(refuse);
    await world.at(33);
    expect(world.audited('Wake Complete')).toMatchObject([{ result: 'success' }]);
  });

  it('a Secret that is created within the 15 minutes lets the container be created', async () => {
    const { entry } = await wakeOf([
      cart({ behaviour: { create: 'CreateContainerConfigError', 'create-recovers-after': '600' } }),
    ]);
    expect(entry).toMatchObject({ title: 'Wake Complete', result: 'success', workloads_failed_detail: [] });
  });

  it('restarts once and comes up: no write-off', async () => {
    const { entry } = await wakeOf([cart({ behaviour: { 'crash-after-seconds': '5', 'crash-times': '1' } })]);
    expect(entry).toMatchObject({ title: 'Wake Complete', result: 'success', workloads_failed_detail: [] });
  });
});

describe('a controller restarted in the middle of a wake', () => {
  // Every row in one wake, each under a name of its own, and two that recover. The domain's sweep restarts at every single second.
  const troubled = rows.map(([parts], index) => ({ ...parts, name: `w${index}` }));
  const refused = { create: 'CreateContainerConfigError', 'create-recovers-after': '1000' };
  const recovering = [
    cart({ name: 'late', behaviour: refused }),
    cart({
      name: 'killed',
      startupProbe: probe(10, 30),
      behaviour: { 'start-seconds': '3000,5' },
    }),
  ];
  const verdicts = ({ workloads_failed_detail, workloads_recovered_detail, durationMs, ...entry }: AuditEntry) => ({
    title: entry.title,
    failed: workloads_failed_detail,
    recovered: workloads_recovered_detail,
    stillStarting: entry.details?.['still_starting'],
    minutes: Math.round((durationMs ?? 0) / 60_000),
  });

  it('gives the same verdicts, whenever that is', async () => {
    const { entry } = await wakeOf([...troubled, ...recovering]);
    const lived = verdicts(entry);
    expect(lived).toMatchObject({ title: `Wake Complete - ${rows.length} workloads failed`, stillStarting: [] });
    expect(lived.recovered).toHaveLength(2);
    for (let second = 1; second < entry.durationMs! / 1_000; second += 37) {
      const { entry: after } = await wakeOf([...troubled, ...recovering], {}, second);
      expect({ second, ...verdicts(after) }).toEqual({ second, ...lived });
    }
  });
});
