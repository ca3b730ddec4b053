import { describe, expect, it } from 'vitest';
import { WaitingRoom } from './waiting-room.ts';

describe('a waiting room', () => {
  it('has room for so many, and then sends away who has waited longest', () => {
    const room = new WaitingRoom<number>(2);
    const gone = [1, 2, 3, 4].map((one) => room.enter('a', one));
    expect(gone).toEqual([[], [], [1], [2]]);
  });

  it('takes from the client that has the most: a crowd does not push out others', () => {
    const room = new WaitingRoom<string>(4);
    room.enter('person', 'first of all');
    const gone = Array.from({ length: 100 }, (_, index) => room.enter('crowd', `c${index}`));
    expect(gone).toEqual([[], [], [], ...Array.from({ length: 97 }, (_, index) => [`c${index}`])]);
  });

  it('sends away whoever may go, of the next client where the crowd has none', () => {
    const room = new WaitingRoom<number>(9);
    for (const one of [1, 2]) room.enter('crowd', one);
    room.enter('person', 3);
    expect([room.pushOut((one) => one > 2), room.pushOut((one) => one > 2)]).toEqual([3, undefined]);
    expect([room.pushOut(), room.pushOut(), room.pushOut()]).toEqual([1, 2, undefined]);
  });

  it('has room again for whoever comes after one who left', () => {
    const room = new WaitingRoom<number>(1);
    room.enter('a', 1);
    room.leave('a', 1);
    room.leave('a', 1);
    room.leave('b', 1);
    expect([room.enter('b', 2), room.enter('b', 3)]).toEqual([[], [2]]);
  });

  it('counts one who enters twice once', () => {
    const room = new WaitingRoom<number>(1);
    room.enter('a', 1);
    expect([room.enter('a', 1), room.enter('a', 2)]).toEqual([[], [1]]);
  });

  it('has as many go as it takes for who costs more, and has as much room again when that one leaves', () => {
    const room = new WaitingRoom<string>(4);
    for (const one of ['a1', 'a2', 'a3']) room.enter('a', one);
    expect(room.enter('b', 'heavy', 3)).toEqual(['a1', 'a2']);
    room.leave('b', 'heavy');
    expect(['a4', 'a5', 'a6', 'a7'].map((one) => room.enter('a', one))).toEqual([[], [], [], ['a3']]);
  });

  it('takes from a crowd and not from the one who costs more, nor from who has just come', () => {
    const room = new WaitingRoom<string>(6);
    for (const client of ['a', 'b']) room.enter(client, client);
    room.enter('person', 'heavy', 4);
    expect(room.enter('c', 'c1')).toEqual(['a']);
    expect(room.enter('c', 'c2')).toEqual(['c1']);
    expect(room.enter('other', 'as heavy', 4)).toEqual(['b', 'heavy']);
  });

  it('counts one who has become heavier by what it is now', () => {
    const room = new WaitingRoom<string>(4);
    room.enter('a', 'one');
    room.enter('b', 'other');
    expect(room.enter('b', 'other', 4)).toEqual(['one']);
    room.leave('b', 'other');
    expect(room.enter('a', 'next', 4)).toEqual([]);
  });
});
