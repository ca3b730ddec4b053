/** What somebody else said of an address, with the address and its local part as they are shown. */
export function withoutAddress(text: string, address: string, shown: string): string {
  if (shown === address) return text;
  const [local = ''] = address.split('@', 1);
  const [shownLocal = ''] = shown.split('@', 1);
  // Letters and digits alone make another word of it; what a sentence or a path puts around it does not.
  const begins = '(?:(?<![\\p{L}\\p{N}])|(?<=[%=][\\da-f]{2}))';
  const alone = `${begins}${spelled(local)}(?![\\p{L}\\p{N}])`;
  return text.replaceAll(new RegExp(`(${spelled(address)})|${alone}`, 'giu'), (_, whole) =>
    whole === undefined ? shownLocal : shown,
  );
}

/** Each character as itself, or as URLs and mail headers encode it. */
function spelled(text: string): string {
  return [...text].map((character) => `(?:${RegExp.escape(character)}|${encoded(character)})`).join('');
}

function encoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `[%=]${byte.toString(16).padStart(2, '0')}`).join('');
}
