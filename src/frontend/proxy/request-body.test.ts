import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { largestBody } from '../http/request-framing.ts';
import { type TakenBody, takeBody } from './request-body.ts';

/** A body that comes in these pieces, each with memory of its own, as Node's parser hands them out. */
function body() {
  const request = new PassThrough({ objectMode: true });
  const taken: TakenBody[] = [];
  const giveUp = takeBody(request, (one) => void taken.push(one));
  const arrive = (size: number) => {
    const piece = Buffer.from(new ArrayBuffer(size)).fill('x');
    request.write(piece);
    return piece;
  };
  return { request, taken, giveUp, arrive };
}

const detached = (piece: Buffer) => (piece.buffer as ArrayBuffer).detached;

describe('a body', () => {
  it('is whole when all of it has come, and its pieces are not kept beside it', async () => {
    const { request, taken, arrive } = body();
    const pieces = [arrive(3), arrive(4)];
    request.end();
    await new Promise((resolve) => request.once('close', resolve));
    expect(taken).toEqual([{ outcome: 'whole', bytes: Buffer.from('xxxxxxx') }]);
    expect(pieces.map(detached)).toEqual([true, true]);
  });

  it('of one piece is that piece', async () => {
    const { request, taken, arrive } = body();
    const piece = arrive(5);
    request.end();
    await new Promise((resolve) => request.once('close', resolve));
    expect(taken).toEqual([{ outcome: 'whole', bytes: piece }]);
    expect(String(piece)).toBe('xxxxx');
  });

  it('without a byte is whole', async () => {
    const { request, taken } = body();
    request.end();
    await new Promise((resolve) => request.once('close', resolve));
    expect(taken).toEqual([{ outcome: 'whole', bytes: new Uint8Array() }]);
  });

  it('whose sender goes away gives its memory back at once', async () => {
    const { request, taken, arrive } = body();
    const piece = arrive(1_000);
    request.destroy();
    await new Promise((resolve) => request.once('close', resolve));
    expect(taken).toEqual([{ outcome: 'gone' }]);
    expect(detached(piece)).toBe(true);
  });

  it('that is given up gives its memory back at once, and so does what still comes of it', () => {
    const { taken, arrive, giveUp } = body();
    const before = arrive(1_000);
    giveUp();
    const after = arrive(1_000);
    expect(taken).toEqual([{ outcome: 'gone' }]);
    expect([before, after].map(detached)).toEqual([true, true]);
  });

  it('that is too large gives its memory back at once', () => {
    const { taken, arrive } = body();
    const pieces = [arrive(largestBody), arrive(1)];
    expect(taken).toEqual([{ outcome: 'too-large' }]);
    expect(pieces.map(detached)).toEqual([true, true]);
  });

  it('leaves alone what is a part of something larger', () => {
    const { request, giveUp } = body();
    const larger = Buffer.from(new ArrayBuffer(100));
    request.write(larger.subarray(10, 20));
    giveUp();
    expect(detached(larger)).toBe(false);
  });
});
