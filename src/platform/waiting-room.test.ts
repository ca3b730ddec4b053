import { describe, expect, it } from 'vitest';
import { WaitingRoom } from './waiting-room.ts';

describe('a waiting room', () => {
  it('has room for so many, and then sends away who has waited longest', () => {
    const room = new WaitingRoom<number>(2);
    expect([room.enter('a', 1), room.enter('a', 2), room.enter('a', 3), room.size]).toEqual([
      undefined,
      undefined,
      1,
      2,
    ]);
  });

  it('takes from the client that has the most: a crowd does not push out others', () => {
    const room = new WaitingRoom<string>(4);
    room.enter('person', 'first of all');
    for (let index = 0; index < 100; index++) expect(room.enter('crowd', `c${index}`)).not.toBe('first of all');
    expect(room.size).toBe(4);
  });

  it('sends away whoever may go, of the next client where the crowd has none', () => {
    const room = new WaitingRoom<number>(9);
    for (const one of [1, 2]) room.enter('crowd', one);
    room.enter('person', 3);
    expect([room.pushOut((one) => one > 2), room.pushOut((one) => one > 2), room.pushOut(), room.size]).toEqual([
      3,
      undefined,
      1,
      1,
    ]);
  });

  it('has room again for whoever comes after one who left', () => {
    const room = new WaitingRoom<number>(1);
    room.enter('a', 1);
    room.leave('a', 1);
    room.leave('a', 1);
    room.leave('b', 1);
    expect([room.size, room.enter('b', 2), room.size]).toEqual([0, undefined, 1]);
  });

  it('counts one who enters twice once', () => {
    const room = new WaitingRoom<number>(1);
    room.enter('a', 1);
    expect([room.enter('a', 1), room.size]).toEqual([undefined, 1]);
  });
});
