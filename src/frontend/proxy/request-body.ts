import type { Readable } from 'node:stream';
import { largestBody } from '../http/request-framing.ts';

export type TakenBody =
  | { readonly outcome: 'whole'; readonly bytes: Uint8Array }
  | { readonly outcome: 'too-large' }
  /** The client went away, or was sent away, before its end. */
  | { readonly outcome: 'gone' };

const nothing = new Uint8Array();

/**
 * The whole body, once it is there: a request that is not whole is nothing that the API could be asked. The function that
 * comes back gives it up.
 */
export function takeBody(request: Readable, done: (body: TakenBody) => void): () => void {
  const pieces: Buffer[] = [];
  let size = 0;
  let over = false;
  const end = (body: TakenBody) => {
    if (over) return;
    over = true;
    for (const piece of pieces.splice(0)) giveBack(piece);
    done(body);
  };
  request.on('data', (piece: Buffer) => {
    size += piece.length;
    if (over) giveBack(piece);
    else {
      pieces.push(piece);
      if (size > largestBody) end({ outcome: 'too-large' });
    }
  });
  request.on('end', () => {
    const bytes = pieces.length === 1 ? pieces.pop()! : pieces.length === 0 ? nothing : Buffer.concat(pieces);
    end({ outcome: 'whole', bytes });
  });
  request.on('error', () => end({ outcome: 'gone' }));
  request.on('close', () => end({ outcome: 'gone' }));
  return () => end({ outcome: 'gone' });
}

/**
 * Nobody has this piece but us, and its memory is wanted at once: the collector counts what lies outside of its heap late,
 * and lets as much as half of the container's memory pile up in bodies that are long gone.
 */
function giveBack({ buffer, length }: Buffer): void {
  // What is a part of something larger may be somebody else's too.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
