import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readBytes } from './read-bytes.ts';

const pieces = (...all: readonly (Uint8Array | string)[]) => Readable.from(all, { objectMode: false });

async function* iterated(...all: readonly (Uint8Array | string)[]) {
  yield* all;
}

describe('the whole of an answer', () => {
  it.each([
    ['a stream in one piece', () => pieces(Buffer.from('one')), 'one'],
    ['a stream in pieces that end in a character', () => pieces(...halves('größe')), 'größe'],
    ['a stream without a piece', () => pieces(), ''],
    ['an iterable of texts', () => iterated('o', 'ne'), 'one'],
    [
      'an iterable of bytes that are a part of more',
      () => iterated(new Uint8Array(Buffer.from('-one-')).subarray(1, 4)),
      'one',
    ],
  ])('%s', async (_, body, text) => {
    expect((await readBytes(body())).toString()).toBe(text);
  });

  it('is not copied when it came in one piece', async () => {
    const piece = Buffer.from('one');
    expect(await readBytes(iterated(piece))).toBe(piece);
  });

  it('is no answer when the stream fails on the way', async () => {
    const body = new Readable({ read() {} });
    const read = readBytes(body);
    body.push('half');
    body.destroy(new Error('read ECONNRESET'));
    await expect(read).rejects.toThrow('read ECONNRESET');
  });

  it('is no answer when the stream ends before its end', async () => {
    const body = new Readable({ read() {} });
    const read = readBytes(body);
    body.push('half');
    body.destroy();
    await expect(read).rejects.toThrow('the answer broke off');
  });

  it.each([
    ['for a reason', new Error('timed out'), 'timed out'],
    ['for none', undefined, 'the answer broke off'],
  ])('is no answer when it was given up %s before anybody read it', async (_, reason, message) => {
    const body = new Readable({ read() {} });
    body.on('error', () => {});
    body.destroy(reason);
    await new Promise((resolve) => body.once('close', resolve));
    await expect(readBytes(body)).rejects.toThrow(message);
  });
});

function halves(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return [bytes.subarray(0, 3), bytes.subarray(3)];
}
