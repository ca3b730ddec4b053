import { describe, expect, it } from 'vitest';
import { Lane, laneOf } from './lanes.ts';

describe('the ways to the API', () => {
  it.each([
    ['/api/v1/events', 'Bearer x', 'stream'],
    ['/api/v1/events?x=1', 'Bearer x', 'stream'],
    ['/api/v1/events', undefined, 'anonymous'],
    ['/api/v1/stand-down', 'Bearer x', 'stand-down'],
    ['/api/v1/stand-down', undefined, 'anonymous'],
    ['/api/v1/hibernation/status', 'Bearer x', 'signed-in'],
    ['/api/v1/auth/request-otp', undefined, 'anonymous'],
  ])('%s with %s is %s', (path, authorization, lane) => {
    expect(laneOf(path, authorization)).toBe(lane);
  });

  it('have places for so many, of which one client gets a part', () => {
    const lane = new Lane({ sockets: 2, waiting: 2, perClient: 3 });
    const places = [lane.enter('a'), lane.enter('a'), lane.enter('a')];
    expect([lane.enter('a'), lane.enter('b') === undefined, lane.enter('b')]).toEqual([undefined, false, undefined]);
    places[0]?.();
    places[0]?.();
    expect([lane.enter('b') === undefined, lane.enter('c')]).toEqual([false, undefined]);
  });
});
