export const longestReason = 50;

export type CheckedReason =
  | { readonly ok: true; readonly reason?: string }
  | { readonly ok: false; readonly status: 400; readonly code: ReasonRefusalCode; readonly message: string };

type ReasonRefusalCode = 'reason_too_long' | 'reason_contains_url';

/** A reason goes into logs, cards, mails and tables: one line, short, and nothing to click on. */
export function checkReason(input: string | undefined): CheckedReason {
  const reason = oneLine(input ?? '');
  if (reason === '') return { ok: true };
  const length = [...reason].length;
  if (length > longestReason) {
    const message = `The reason has ${length} characters; at most ${longestReason} are allowed.`;
    return { ok: false, status: 400, code: 'reason_too_long', message };
  }
  if (containsUrl(reason)) {
    return { ok: false, status: 400, code: 'reason_contains_url', message: 'The reason must not contain a URL.' };
  }
  return { ok: true, reason };
}

/** White space becomes single spaces; control, invisible and direction-changing characters go. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').replace(/ +/g, ' ').trim();
}

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?';
const host = `(?:${label}\\.)+\\p{L}{2,}`;
/** A place without a name of its own. */
const numbered = '(?:\\d{1,3}\\.){3}\\d{1,3}|localhost\\b|\\[[\\da-f:.]+\\]';

const urls: readonly RegExp[] = [
  // A scheme with its slashes, whatever it is called.
  /[a-z][a-z0-9+.-]*:\/\//iu,
  // A browser reads these the same way without their slashes; a space after the colon makes them prose.
  /\b(?:https?|ftps?|sftp|ssh|wss?|git|ldaps?):\/*(?:[\p{L}[]|\d+\.\d|\d{7}|%[\da-f]{2})/iu,
  // Schemes that need no slashes.
  /\b(?:mailto|tel|sms|javascript|vbscript|data|file|urn|ms-[a-z]+):\S/iu,
  // What chat and mail programs turn into a link by themselves.
  /\bwww\d{0,3}\.[\p{L}\p{N}]/iu,
  // No scheme, the same protocol.
  new RegExp(`(?:^|[^:\\p{L}\\p{N}])//(?:${host}|${numbered})`, 'iu'),
  // A host with a port, or with a path.
  new RegExp(`(?:^|[^\\p{L}\\p{N}.-])${host}:\\d{1,5}\\b`, 'iu'),
  /(?:^|[^\p{L}\p{N}.-])localhost(?::\d{1,5}|\/)/iu,
  /(?:^|[^\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5}\b|\/[\p{L}_~])/iu,
  /\[[\da-f.]*:[\da-f:.]*\](?::\d|\/)/iu,
  // Links as chat programs write them: [text](place), <place> and <place|text>.
  new RegExp(`\\] ?\\( ?<?(?:[/#?]|\\.{1,2}/|${host}|${numbered})`, 'iu'),
  /<\s*a\b[^>]*\bhref\s*=/iu,
  new RegExp(`<${host}[|>]`, 'iu'),
];
const hostWithPath = new RegExp(`(?:^|[^\\p{L}\\p{N}.-])(${host})[/?#]`, 'giu');

/** `deployment.apps/web` is how kubectl names things, and what a reason is likely to quote. */
const kubectlGroups = /\.(?:apps|batch)$/i;

/** A bare host name is no URL: `payments.example.com is down` is a fine reason. */
function containsUrl(reason: string): boolean {
  // To a browser a backslash in an address is a slash.
  const plain = reason.normalize('NFKC').replaceAll('\\', '/');
  if (urls.some((url) => url.test(plain))) return true;
  return [...plain.matchAll(hostWithPath)].some(([, name]) => name !== undefined && !kubectlGroups.test(name));
}
