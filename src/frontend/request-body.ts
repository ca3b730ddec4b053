import type { IncomingMessage } from 'node:http';
import { largestBody } from './request-framing.ts';

export type TakenBody =
  | { readonly outcome: 'whole'; readonly bytes: Uint8Array }
  | { readonly outcome: 'too-large' }
  /** The client went away, or was sent away, before its end. */
  | { readonly outcome: 'gone' };

const nothing = new Uint8Array();

/** The whole body, once it is there: a request that is not whole is nothing that the API could be asked. */
export function takeBody(request: IncomingMessage, done: (body: TakenBody) => void): void {
  const pieces: Buffer[] = [];
  let size = 0;
  let over = false;
  const end = (body: TakenBody) => {
    if (over) return;
    over = true;
    pieces.length = 0;
    done(body);
  };
  request.on('data', (piece: Buffer) => {
    size += piece.length;
    if (over) return;
    if (size > largestBody) end({ outcome: 'too-large' });
    else pieces.push(piece);
  });
  request.on('end', () => {
    const [only] = pieces;
    end({ outcome: 'whole', bytes: only === undefined ? nothing : pieces.length === 1 ? only : Buffer.concat(pieces) });
  });
  request.on('error', () => end({ outcome: 'gone' }));
  request.on('close', () => end({ outcome: 'gone' }));
}
