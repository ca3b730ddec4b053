import { Readable } from 'node:stream';
import type { TransportResponse } from '../../../ports/transport.ts';

/** The whole body; what came in one piece is not copied. */
export async function readBytes(body: TransportResponse['body']): Promise<Buffer> {
  if (body instanceof Readable) return bytesOf(body);
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(asBuffer(piece));
  return joined(pieces);
}

/** By its events: an iterator would make a dozen promises and listeners for each of a thousand small answers. */
function bytesOf(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const brokeOff = () => reject(stream.errored ?? new Error('the answer broke off'));
    if (stream.destroyed) {
      brokeOff();
      return;
    }
    const pieces: Buffer[] = [];
    stream.on('data', (piece) => pieces.push(asBuffer(piece)));
    stream.on('end', () => resolve(joined(pieces)));
    stream.on('error', reject);
    stream.on('close', brokeOff);
  });
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

function asBuffer(piece: Uint8Array | string): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece);
  return Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
}
