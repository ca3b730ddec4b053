import { ByteQueue } from './byte-queue.ts';

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

const itemsKey = Buffer.from('"items"');

/**
 * Splits the text of a list into its items while it arrives, so that no page is ever parsed, or even held, as a whole.
 * What is left around the items is the envelope: `{"kind":"PodList","metadata":{…},"items":[]}`.
 */
export class ListSplitter {
  readonly #onItem: (bytes: Buffer) => void;
  readonly #queue = new ByteQueue();
  #envelope = '';
  /** Bytes of the queue that were looked at. */
  #scanned = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Where in the queue the last string of the top level began; -1 when it is of no interest. */
  #keyStart = -1;
  /** Says that the last top-level string was the key `items`. */
  #itemsNext = false;
  #inItems = false;
  #itemStart = -1;
  /** Outside of the items: from here on the queue's bytes belong to the envelope and are not in it yet. */
  #envelopeFrom = 0;

  /** `onItem` gets a view of the item's bytes that is good only during the call. */
  constructor(onItem: (bytes: Buffer) => void) {
    this.#onItem = onItem;
  }

  push(piece: Uint8Array | string): void {
    this.#queue.append(piece);
    const bytes = this.#queue.bytes;
    for (let at = this.#scanned; at < bytes.length; at++) {
      if (this.#itemStart !== -1) {
        at = this.#scanItem(bytes, at);
      } else if (this.#inString) {
        at = this.#scanString(bytes, at);
      } else {
        this.#scanByte(bytes, at, bytes[at]!);
      }
    }
    this.#keepWhatIsNeeded(bytes.length);
  }

  /** The parsed envelope; throws when the text ended too early. */
  end(): unknown {
    if (this.#depth !== 0 || this.#inString) throw new SyntaxError('The list ended in the middle of its text.');
    return JSON.parse(this.#envelope + this.#queue.bytes.toString());
  }

  /** Nearly all bytes pass through this loop, so it works on local variables. Returns the last position that it looked at. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every byte of every list passes here; a call for each would be felt.
  #scanItem(bytes: Buffer, from: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let at = this.#escaped ? from + 1 : from;
    const { length } = bytes;
    for (; at < length && depth > 2; at++) {
      const byte = bytes[at];
      if (byte === quote) inString = !inString;
      else if (inString) {
        if (byte === backslash) at++;
      } else if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) depth--;
    }
    this.#depth = depth;
    this.#inString = inString;
    // A backslash as the last byte escapes the first of the next piece.
    this.#escaped = at > length;
    if (depth === 2) {
      this.#onItem(bytes.subarray(this.#itemStart, at));
      this.#itemStart = -1;
    }
    return at - 1;
  }

  /** Runs to the end of the string or of the bytes; returns the last position that it looked at. */
  #scanString(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at++) {
      if (this.#escaped) this.#escaped = false;
      else if (bytes[at] === backslash) this.#escaped = true;
      else if (bytes[at] === quote) {
        this.#inString = false;
        if (this.#keyStart !== -1) {
          this.#itemsNext = bytes.subarray(this.#keyStart, at + 1).equals(itemsKey);
          this.#keyStart = -1;
        }
        break;
      }
    }
    return at;
  }

  #scanByte(bytes: Buffer, at: number, byte: number): void {
    if (byte === quote) {
      this.#inString = true;
      if (this.#depth === 1) this.#keyStart = at;
    } else if (byte === openBrace || byte === openBracket) {
      this.#open(bytes, at, byte);
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#close(at);
    } else if (byte === comma && this.#depth === 1) {
      this.#itemsNext = false;
    }
  }

  #open(bytes: Buffer, at: number, byte: number): void {
    this.#depth++;
    if (this.#inItems && this.#depth === 3) this.#itemStart = at;
    if (this.#depth === 2 && byte === openBracket && this.#itemsNext) {
      this.#inItems = true;
      this.#addToEnvelope(bytes, at + 1);
    }
  }

  #close(at: number): void {
    this.#depth--;
    if (!this.#inItems) return;
    if (this.#depth !== 1) return;
    this.#inItems = false;
    this.#itemsNext = false;
    this.#envelopeFrom = at;
  }

  #addToEnvelope(bytes: Buffer, end: number): void {
    this.#envelope += bytes.toString('utf8', this.#envelopeFrom, end);
  }

  /** Inside the items only an unfinished item stays; outside of them the little text of the envelope. */
  #keepWhatIsNeeded(length: number): void {
    const keepFrom = this.#inItems ? (this.#itemStart === -1 ? length : this.#itemStart) : this.#envelopeFrom;
    this.#queue.drop(keepFrom);
    this.#scanned = length - keepFrom;
    this.#envelopeFrom = 0;
    if (this.#itemStart !== -1) this.#itemStart -= keepFrom;
    if (this.#keyStart !== -1) this.#keyStart -= keepFrom;
  }
}
