import { isNamedAsByKubectl } from './kubectl-name.ts';

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
const host = `(?:${label}\\.)+(?:xn--[a-z\\d-]+|\\p{L}{2,})`;
/** A place without a name of its own. */
const numbered = '(?:\\d{1,3}\\.){3}\\d{1,3}|localhost\\b|\\[[\\da-f:.]+\\]';
/** Whatever else stands before a host, such as an ellipsis or a dash, a chat program reads over. */
const hostBegins = '(?<![\\p{L}\\p{N}])';
/** A question or a number sign that ends a word is prose. */
const query = '[?#][\\p{L}\\p{N}_%=&/]';

const schemesWithoutSlashes = [
  'mailto tel callto sms smsto mms mmsto fax facetime facetime-audio skype sips? h323 xmpp im aim ymsgr msnim gtalk irc6? ircs',
  'whatsapp tg viber signal slack msteams zoommtg javascript vbscript livescript blob filesystem view-source jar about',
  'urn mid cid magnet geo maps market intent itms itms-apps itms-services webcal spotify steam bitcoin ethereum',
  'vscode vscode-insiders ms-[a-z-]+ web\\+[a-z]+',
].flatMap((line) => line.split(' '));

const urls: readonly RegExp[] = [
  // A scheme with its slashes, whatever it is called.
  /[a-z][a-z0-9+.-]*:\/\//iu,
  // A browser reads these the same way with one slash or none. Without any, a word of letters alone is prose, and so is a status: people
  // write `https:broken cert` and `http:502`. A space after the colon makes anything prose.
  /\b(?:https?|ftps?|sftp|ssh|wss?|git|ldaps?):(?:\/+[^\s/]|localhost\b|\p{L}[\p{L}-]*[\p{N}_/?#:]|\d{7}|0x[\da-f]|\S*(?:[@[]|%[\da-f]{2}|\.[\p{L}\p{N}]))/iu,
  // Schemes that need no slashes, as phones, chat and mail programs make links of them. Any other word before a colon is prose, a
  // time or an image and its tag: `svc:latest`, `owner:ada`.
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${schemesWithoutSlashes.join('|')}):\\S`, 'iu'),
  // Of these two a word of letters alone leads nowhere: `data:loss`, `file:full`.
  /(?<![\p{L}\p{N}])(?:data|file):(?!\p{L}[\p{L}-]*[.,;:!?)]*(?:\s|$))\S/iu,
  // And whatever begins as `magnet:?` does.
  /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]+:\?[a-z]+=/iu,
  // What chat and mail programs turn into a link by themselves.
  /\bwww\d{0,3}\.[\p{L}\p{N}]/iu,
  // No scheme, the same protocol.
  new RegExp(`(?:^|[^:\\p{L}\\p{N}])//[-_.@]*(?:${host}|${numbered})`, 'iu'),
  // A host with a port, or with a path.
  new RegExp(`${hostBegins}${host}\\.?:\\d{1,5}\\b`, 'iu'),
  new RegExp(`(?<![\\p{L}\\p{N}]-?)localhost\\.?(?::\\d{1,5}|/|${query})`, 'iu'),
  new RegExp(`(?<!\\d\\.?)(?:\\d{1,3}\\.){3}\\d{1,3}\\.?(?::\\d{1,5}\\b|/[\\p{L}_~]|${query})`, 'iu'),
  /\[[\da-f.]*:[\da-f:.]*\](?::\d|\/)/iu,
  // Links as chat programs write them: [text](place), <place> and <place|text>.
  new RegExp(`\\] ?\\( ?<?(?:[/#?]|\\.{1,2}/|${host}|${numbered})`, 'iu'),
  // There a word before a colon is a scheme, also where it would be prose elsewhere.
  /\](?:\( ?<?[a-z][a-z\d+.-]*| \( ?<?(?:https?|ftps?|sftp|ssh|wss?|git|ldaps?)):\S/iu,
  /<\s*a\b[^>]*\bhref\s*=/iu,
  new RegExp(`<${host}[|>]`, 'iu'),
];
const hostWithPath = new RegExp(`${hostBegins}(${host}\\.?[/?#])(?=(\\S*))`, 'giu');

/** Endings of files that no domain ends with: `node.js/express` leads nowhere. */
const ofFile = /\.(?:js|ts|json|ya?ml|html|css)\/$/i;
/** `deployment.apps/web` is how kubectl names things, and what a reason is likely to quote. No domain ends with these groups. */
const ofGroupWithoutDomain = /\.(?:apps|batch|autoscaling|policy|extensions)\/$/i;

/**
 * What browsers take for a dot between two names, and what they read over. Behind a full stop of Chinese or Japanese a sentence may go on
 * without a space, so it is a dot where the next word is of other letters.
 */
function asBrowsersRead(reason: string): string {
  return (
    reason
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(
        /\u3002(?=[^\P{L}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|\p{N}|(?:中国|中國|公司|网络|香港|台灣|台湾|みんな)(?!\p{L}))/gu,
        '.',
      )
      // To a browser a backslash in an address is a slash.
      .replaceAll('\\', '/')
  );
}

/** A bare host name is no URL: `payments.example.com is down` is a fine reason. */
function containsUrl(reason: string): boolean {
  const plain = asBrowsersRead(reason);
  if (urls.some((url) => url.test(plain))) return true;
  return [...plain.matchAll(hostWithPath)].some(
    ([, place = '', rest = '']) =>
      !ofFile.test(place) && !ofGroupWithoutDomain.test(place) && !isNamedAsByKubectl(place + rest),
  );
}
