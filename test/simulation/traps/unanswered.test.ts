import { describe, expect, it } from 'vitest';
import type { TransportRequest } from '../../../src/ports/transport.ts';
import { hour, minute, OfficeWorld } from '../office-world.ts';
import type { RequestFault } from '../world/faulty-transport.ts';

const cart = 'Deployment shop/cart';
const db = 'StatefulSet shop/db';
const isCart = ({ method, path }: TransportRequest) => method === 'PATCH' && /\/deployments\/cart(\?|$)/.test(path);

/** An office in which no write to the cart is answered from the evening on; `sentAt` says when each was sent. */
function unanswered(fault: RequestFault = { kind: 'silence', done: false }) {
  const world = new OfficeWorld();
  const sentAt: number[] = [];
  world.faults.onRequest = (request) => {
    if (isCart(request)) sentAt.push(world.clock.now());
  };
  const end = world.faults.hold('silence', isCart, fault);
  return { world, sentAt, end };
}

/** Until a write is on its way again; fails when there is none within two minutes. */
async function untilSent({ world, sentAt }: ReturnType<typeof unanswered>): Promise<void> {
  const before = sentAt.length;
  for (let step = 0; step < 1_200 && sentAt.length === before; step++) await world.advance(100);
  expect(sentAt.length).toBe(before + 1);
}

describe('a workload whose writes are not answered', () => {
  it('keeps no pass for as long as it takes to give up: all others wake at once', async () => {
    const office = unanswered();
    const { world } = office;
    void world.api;
    await world.at(23);
    expect([world.level(cart), world.level(db)]).toEqual([3, 0]);
    await untilSent(office);
    expect((await world.api.asAdmin('wakeUp', { body: { duration: '2h' } })).status).toBe(200);
    await world.advance(5_000);
    expect(world.level(db)).toBe(2);
  });

  it('is tried at the pace of any other that fails, and one write is on its way at a time', async () => {
    const { world, sentAt } = unanswered();
    await world.at(24);
    // 30 seconds until it is given up, and a pause of 30 to 35.
    expect(sentAt.length).toBeGreaterThan(3 * 55);
    expect(sentAt.length).toBeLessThan(4 * 70);
    const gaps = sentAt.slice(1).map((at, index) => at - sentAt[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(30_000);
    expect(world.log.said('A scaling write failed after the pass went on')).toEqual([]);
  });

  it('that are answered late are noted: it sleeps, and wakes with its count', async () => {
    const office = unanswered();
    const { world } = office;
    await world.at(22);
    office.end();
    world.faults.hold('slow', isCart, { kind: 'delay', ms: 10_000 });
    await world.advance(3 * minute);
    expect(world.level(cart)).toBe(0);
    await world.advance(hour);
    expect(world.audited('Workload Taken Down Late')).toHaveLength(1);
    await world.at(33);
    expect(world.level(cart)).toBe(3);
  });

  it('that land after the wake began are found and undone', async () => {
    const office = unanswered();
    const { world } = office;
    await world.at(31, 50);
    office.end();
    // Sent in the last minute of the night, carried out in the first ones of the day.
    world.faults.hold('late', (request) => isCart(request) && request.body?.includes('"replicas":0') === true, {
      kind: 'late',
      ms: 10 * minute,
    });
    await world.at(33);
    expect(world.level(cart)).toBe(3);
  });
});
