export type Origin =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly problem: string };

const longest = 2048;

/**
 * Where a visitor came from, if it is a place to send anybody to: http or https, no user name in front of the host that
 * would make it look like another, and nothing in it that programs read differently.
 */
export function parseOrigin(text: string): Origin {
  if (text === '') return refuse('is empty');
  if (text.length > longest) return refuse(`is longer than ${longest} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return refuse('has a space, a line break, a control character or a backslash');
  if (!/^https?:\/\/[^/?#]/i.test(text)) return refuse('is no address that begins with http:// or https://');
  const url = URL.parse(text);
  if (url === null || url.hostname === '') return refuse('is no address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('is neither http nor https');
  if (url.username !== '' || url.password !== '' || /^[^/?#]*@/.test(text.slice(url.protocol.length + 2))) {
    return refuse('has a user name before its host');
  }
  return { ok: true, url: url.href, host: url.host };
}

function refuse(problem: string): Origin {
  return { ok: false, problem: `The address ${problem}.` };
}
