import { describe, expect, it } from 'vitest';
import type { TransportRequest } from '../../src/ports/transport.ts';
import { namespaceManifest, workloadManifest } from '../support/builders/manifests.ts';
import { MailedOffice } from './mailed-office.ts';
import { hour, minute } from './office-world.ts';
import { isWrite } from './world/faulty-transport.ts';

const second = 1_000;
const cart = 'Deployment shop/cart';
const mailOnly = { teams: { enabled: false, webhooks: [] } };
const toOps = { channels: { email: { enabled: true, recipients: ['ops@example.org'] }, ...mailOnly } };

/** Raises it as its owner would, and takes it down again, as often as asked. */
async function flap(world: MailedOffice, times: number, everyMs: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    world.owner(cart, { spec: { replicas: 4 + time } });
    await world.advance(everyMs);
  }
}

describe('an unexpected replica change', () => {
  const title = 'Unexpected Replica Change';

  it('is sent once it has held for the confirmation window, and once however often it changes', async () => {
    const world = await new MailedOffice({}, toOps).at(22);
    await flap(world, 5, 20 * second);
    expect(world.mails(title)).toEqual([]);
    await world.advance(hour);
    expect(world.mails(title)).toMatchObject([
      { text: `${cart} is raised by kubectl-edit: it was 7 replicas and is 8 replicas now` },
    ]);
    expect(world.mails(title)[0]!.at).toBe(Date.UTC(2026, 0, 5, 22, 5));
    expect(world.audited('Replicas Changed by Their Owner')).toHaveLength(5);
  });

  it('that is taken back within the window is not sent', async () => {
    const world = await new MailedOffice({}, toOps).at(22);
    world.owner(cart, { spec: { replicas: 4 } });
    await world.advance(minute);
    world.owner(cart, { spec: { replicas: 0 } });
    await world.advance(hour);
    expect(world.mails(title)).toEqual([]);
  });

  it('of several workloads at once is one card', async () => {
    const world = await new MailedOffice({}, toOps).at(22);
    world.owner(cart, { spec: { replicas: 4 } });
    world.owner('StatefulSet shop/db', { spec: { replicas: 1 } });
    await world.advance(hour);
    expect(world.mails(title)).toHaveLength(1);
    expect(world.mails(title)[0]!.text).toContain(cart);
    expect(world.mails(title)[0]!.text).toContain('StatefulSet shop/db');
  });

  it('ends with the morning: the next night it is news again', async () => {
    const world = await new MailedOffice({}, toOps).at(22);
    world.owner(cart, { spec: { replicas: 4 } });
    await world.at(46);
    expect(world.mails(title)).toHaveLength(1);
    world.owner(cart, { spec: { replicas: 4 } });
    await world.advance(hour);
    expect(world.mails(title)).toHaveLength(2);
  });

  it('that a process saw and died before it was confirmed is sent by the next one', async () => {
    const world = await new MailedOffice({}, toOps).at(22);
    world.owner(cart, { spec: { replicas: 4 } });
    await world.advance(minute);
    world.start();
    await world.advance(hour);
    expect(world.mails(title)).toHaveLength(1);
  });
});

const raisingCart = (request: TransportRequest) =>
  isWrite(request) && request.path.includes('/deployments/cart') && (request.body ?? '').includes('"replicas":3');

describe('a workload that will not scale', () => {
  it('is told, is over once it scales, and is news when it happens again', async () => {
    const title = 'Workload Will Not Scale';
    const world = await new MailedOffice({}, toOps).at(31);
    const forbid = () => world.faults.armOn(raisingCart, { kind: 'status', status: 403, done: false });
    forbid();
    await world.at(34);
    expect(world.mails(title)).toHaveLength(1);
    world.faults.clear();
    await world.advance(5 * minute);
    expect(world.level(cart)).toBe(3);
    await world.at(55);
    forbid();
    await world.at(58);
    expect(world.mails(title)).toHaveLength(2);
  });

  it('that scales before the window is over is not told', async () => {
    const world = await new MailedOffice({}, toOps).at(31);
    world.faults.armOn(raisingCart, { kind: 'status', status: 403, done: false });
    await world.at(32, 3);
    world.faults.clear();
    await world.at(34);
    expect(world.mails('Workload Will Not Scale')).toEqual([]);
  });
});

describe('a full state', () => {
  it('is over once there is room, and is news when it is full again', async () => {
    const title = 'State ConfigMap Full';
    const world = await new MailedOffice({}, toOps).at(12, 30);
    const fill = (bytes: number) => {
      const object = world.store.get('configmaps', 'svc', 'svc-state')!;
      const { ballast: _, ...data } = object['data'] as Record<string, string>;
      const filled = bytes === 0 ? data : { ...data, ballast: 'x'.repeat(bytes) };
      world.store.update(
        'configmaps',
        { ...object, data: filled },
        {
          actor: { manager: 'kubectl-edit', operation: 'Update' },
        },
      );
    };
    fill(1_048_200);
    await world.at(21);
    expect(world.mails(title)).toHaveLength(1);
    fill(0);
    await world.at(36);
    fill(1_048_200);
    await world.at(45);
    expect(world.mails(title)).toHaveLength(2);
  });
});

describe('a destination that is added', () => {
  it('hears of what still holds, once, and of nothing that is over', async () => {
    const world = await new MailedOffice({}, toOps).at(22);
    world.owner(cart, { spec: { replicas: 4 } });
    await world.advance(hour);
    world.setDestinations({});
    await world.advance(hour);
    expect(world.taken.filter(({ title }) => title === 'Unexpected Replica Change').map(({ to }) => to)).toEqual([
      'ops@example.org',
      'team',
    ]);
    world.owner(cart, { spec: { replicas: 0 } });
    await world.advance(minute);
    world.setDestinations({ email: { enabled: true, recipients: ['ops@example.org', 'late@example.org'] } });
    await world.advance(hour);
    expect(world.taken.filter(({ to }) => to === 'late@example.org')).toEqual([]);
  });
});

describe('resources by day', () => {
  it('that come into scope or leave it send one card each, and what was there at the start none', async () => {
    const world = await new MailedOffice({}, toOps).at(13);
    expect(world.mails('Resource Added')).toEqual([]);
    world.cluster.apply([
      namespaceManifest('blog'),
      workloadManifest({ kind: 'Deployment', namespace: 'blog', name: 'web', replicas: 1 }),
      workloadManifest({ kind: 'Deployment', namespace: 'blog', name: 'search', replicas: 1 }),
    ]);
    await world.advance(5 * minute);
    expect(world.mails('Resource Added')).toMatchObject([
      { text: 'Goes to sleep with the cluster from now on: Deployment blog/search, Deployment blog/web' },
    ]);
    world.store.delete('deployments.apps', 'blog', 'search');
    await world.advance(5 * minute);
    expect(world.mails('Resource Removed')).toMatchObject([
      { text: 'No longer goes to sleep with the cluster: Deployment blog/search' },
    ]);
    expect(world.audited('Workload Added')).toHaveLength(1);
    await world.at(34);
    expect([world.mails('Resource Added'), world.mails('Resource Removed')]).toMatchObject([[{}], [{}]]);
  });

  it('that are only replaced, as a release does, send none', async () => {
    const world = await new MailedOffice({}, toOps).at(13);
    world.store.delete('deployments.apps', 'shop', 'cart');
    await world.advance(5 * second);
    world.cluster.apply([workloadManifest({ kind: 'Deployment', namespace: 'shop', name: 'cart', replicas: 3 })]);
    await world.advance(10 * minute);
    expect([world.mails('Resource Added'), world.mails('Resource Removed')]).toEqual([[], []]);
  });
});
