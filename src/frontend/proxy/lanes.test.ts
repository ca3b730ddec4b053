import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../embedded-cluster/time/virtual-clock.ts';
import type { Rank } from '../../platform/token-name.ts';
import { Lane, laneOf, laneSizes, unreadWhileOthersWaitMs } from './lanes.ts';

describe('the ways to the API', () => {
  it.each([
    ['/api/v1/events', 'Bearer x', 'stream', 'stream', 'stream', 'claimed-stream'],
    ['/api/v1/events?x=1', 'Bearer x', 'stream', 'stream', 'stream', 'claimed-stream'],
    ['/api/v1/events', undefined, 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['/api/v1/stand-down', 'Bearer x', 'stand-down', 'company', 'outside', 'claimed'],
    ['/api/v1/stand-down', undefined, 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['/api/v1/hibernation/status', 'Bearer x', 'admin', 'company', 'outside', 'claimed'],
    // Public reads take no place of who comes to sign in, nor of a page that is loaded anew.
    ['/api/v1/auth/request-otp', undefined, 'way-in', 'way-in', 'way-in', 'way-in'],
    ['/api/v1/auth/refresh', undefined, 'way-in', 'way-in', 'way-in', 'way-in'],
    ['/api/v1/auth/%72efresh?x=1', undefined, 'way-in', 'way-in', 'way-in', 'way-in'],
    ['/api/v1/auth/passkey/verify', undefined, 'way-in', 'way-in', 'way-in', 'way-in'],
    ['/api/v1/external-wake', undefined, 'way-in', 'way-in', 'way-in', 'way-in'],
    ['/api/v1/public/hibernation-status', undefined, 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['/api/v1/branding', undefined, 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    // What anybody may read makes nobody signed in, whatever he claims and however he writes it.
    ['/api/v1/openapi.json', 'Bearer x', 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['/api/v1/openapi.json?x=1', 'Bearer x', 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['/api/v1/%6fpenapi.json', 'Bearer x', 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['/api/v1/branding', 'Bearer x', 'anonymous', 'anonymous', 'anonymous', 'anonymous'],
    ['/api/v1/%65vents', 'Bearer x', 'stream', 'stream', 'stream', 'claimed-stream'],
    ['/api/v1/%', 'Bearer x', 'admin', 'company', 'outside', 'claimed'],
  ])(
    '%s with %s is %s for an admin, %s for a colleague, %s for somebody from outside, and %s for a token of which the API has said nothing',
    (path, authorization, ...lanes) => {
      const ranks = ['admin', 'company', 'outside', undefined] as const;
      expect(ranks.map((rank) => laneOf(path, authorization, rank))).toEqual(lanes);
    },
  );

  it('have places for so many, of which one gets a part', () => {
    const lane = new Lane({ sockets: 2, waiting: 2, perSharer: 3 }, new VirtualClock(0));
    const enter = (name: string) => lane.enter({ name, rank: 'outside', weight: 1 }, () => {});
    const places = [enter('a'), enter('a'), enter('a')];
    expect([enter('a'), enter('b') === undefined, enter('b')]).toEqual([undefined, false, undefined]);
    places[0]?.leave();
    places[0]?.leave();
    expect([enter('b') === undefined, enter('c')]).toEqual([false, undefined]);
  });

  it('count who costs more as so many, against what there is and what one may have', () => {
    const lane = new Lane(
      { sockets: 20, waiting: 0, perSharer: 8, kept: { admins: 4, company: 4 } },
      new VirtualClock(0),
    );
    const enter = (name: string, rank: Rank = 'outside') => lane.enter({ name, rank, weight: 4 }, () => {});
    const [first, second] = [enter('a'), enter('a')];
    expect([first, second, enter('a'), enter('b')].map(Boolean)).toEqual([true, true, false, true]);
    expect([enter('c'), enter('d', 'company'), enter('d', 'company'), enter('e', 'admin')].map(Boolean)).toEqual([
      false,
      true,
      false,
      true,
    ]);
    first?.leave();
    first?.leave();
    expect([enter('c'), enter('f', 'admin'), enter('f', 'admin')].map(Boolean)).toEqual([false, true, false]);
  });

  it('keep places for people of the company and for admins, however many others there are', () => {
    const lane = new Lane(
      { sockets: 2, waiting: 4, perSharer: 2, kept: { admins: 1, company: 2 } },
      new VirtualClock(0),
    );
    let count = 0;
    const fits = (rank: Rank) => lane.enter({ name: `${count++}`, rank, weight: 1 }, () => {}) !== undefined;
    const fill = (rank: Rank) => Array.from({ length: 10 }, () => fits(rank)).filter(Boolean).length;
    expect([fill('outside'), fill('company'), fill('outside'), fill('admin'), fill('company')]).toEqual([
      3, 2, 0, 1, 0,
    ]);
  });

  it('give nobody the whole: neither one person, nor people from outside together', () => {
    const { stream, admin, company, outside, 'stand-down': standDown } = laneSizes;
    for (const { sockets, waiting, perSharer } of [admin, company, outside, stream, standDown]) {
      expect(perSharer).toBeLessThanOrEqual((sockets + waiting) / 4);
    }
    // Who asks for what takes long leaves a socket to others of his rank.
    for (const { sockets, perSharer } of [admin, company, outside]) expect(perSharer).toBeLessThan(sockets);
    expect(stream.kept?.admins).toBeGreaterThanOrEqual(stream.perSharer);
    expect(stream.kept?.company).toBeGreaterThanOrEqual(2 * stream.perSharer);
  });
});

describe('who does not take his answer', () => {
  function way() {
    const clock = new VirtualClock(0);
    const lane = new Lane({ sockets: 2, waiting: 2, perSharer: 4 }, clock);
    const cut: string[] = [];
    const enter = (by: string, name = by) =>
      lane.enter({ name: by, rank: 'outside', weight: 1 }, () => void cut.push(name));
    return { clock, cut, enter };
  }

  it('is left alone while there is a socket for everybody', async () => {
    const { clock, cut, enter } = way();
    enter('a')?.standsStill();
    await clock.advance(60_000);
    enter('b');
    await clock.advance(60_000);
    expect(cut).toEqual([]);
  });

  it('is cut when another comes and no socket is left, once he has stood still for a second', async () => {
    const { clock, cut, enter } = way();
    for (const name of ['first', 'second']) enter('a', name)?.standsStill();
    await clock.advance(unreadWhileOthersWaitMs);
    enter('b');
    expect(cut).toEqual(['first']);
  });

  it('is cut for those who wait already, as many as wait, soon after his second is over', async () => {
    const { clock, cut, enter } = way();
    for (const name of ['first', 'second']) enter('a', name)?.standsStill();
    enter('b');
    await clock.advance(unreadWhileOthersWaitMs - 1);
    expect(cut).toEqual([]);
    await clock.advance(1);
    expect(cut).toEqual(['first']);
    await clock.advance(60_000);
    expect(cut).toEqual(['first']);
    enter('c');
    expect(cut).toEqual(['first', 'second']);
  });

  it('is not cut when he goes on, nor when he has had no answer yet', async () => {
    const { clock, cut, enter } = way();
    const slow = enter('a');
    enter('a');
    enter('b');
    for (let step = 0; step < 5; step++) {
      slow?.standsStill();
      await clock.advance(unreadWhileOthersWaitMs - 1);
    }
    slow?.goesOn();
    await clock.advance(60_000);
    expect(cut).toEqual([]);
  });

  it('goes before one who has stood still longer, where he has more standing still', async () => {
    const { clock, cut, enter } = way();
    enter('person')?.standsStill();
    await clock.advance(10);
    for (const name of ['first', 'second']) enter('crowd', name)?.standsStill();
    await clock.advance(unreadWhileOthersWaitMs);
    expect(cut).toEqual(['first']);
  });

  it('is gone once he has left, whatever is still told of him', async () => {
    const { clock, cut, enter } = way();
    const gone = enter('a');
    gone?.leave();
    gone?.standsStill();
    for (let index = 0; index < 3; index++) enter('b');
    await clock.advance(60_000);
    expect(cut).toEqual([]);
  });

  it('makes room where the way is full', async () => {
    const { clock, cut, enter } = way();
    const places = Array.from({ length: 4 }, (_, index) => enter('a', `${index}`));
    expect(enter('b')).toBeUndefined();
    places[1]?.standsStill();
    await clock.advance(unreadWhileOthersWaitMs - 1);
    expect(enter('b')).toBeUndefined();
    await clock.advance(1);
    expect([cut, enter('b') === undefined]).toEqual([['1'], false]);
  });
});
