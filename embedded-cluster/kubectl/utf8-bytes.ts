const encoder = new TextEncoder();

/** How long a text is once it is written. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
