import { patternFormat } from './pattern-format.ts';
import { quote } from './quote.ts';
import type { TextFormat } from './value-types.ts';

const webSchemes = ['https', 'http'];
const longestUrl = 2048;

/** The first thing wrong with the front of a URL; `shown` is how the message calls the value. */
function schemeOrHostProblem(text: string, shown: string): string | undefined {
  if (/\s/.test(text)) return `${shown} contains a space; remove it`;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1];
  if (scheme === undefined) return `${shown} has no scheme; begin it with https://`;
  if (!webSchemes.includes(scheme)) return `${shown} has the scheme ${quote(scheme)}; use https`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '' || /^https?:\/\/([/?#]|$)/.test(text)) {
    return `${shown} has no valid host; write one such as https://svc.example.com`;
  }
  return undefined;
}

/** The text without a user name and password, which no message may repeat. */
const withoutUser = (text: string) => text.replace(/\/\/[^/]*@/, '//…@');

/** An own address of the instance: scheme, host, perhaps a port and a path prefix. */
export const ownAddress = patternFormat({
  name: 'url',
  rule: 'scheme and host, with an optional port and path prefix',
  pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
  maxLength: longestUrl,
  otherwise: 'is not an address such as https://svc.example.com',
  diagnose(text) {
    const problem = schemeOrHostProblem(text, quote(withoutUser(text)));
    if (problem !== undefined) return problem;
    const url = new URL(text);
    if (url.username !== '' || url.password !== '') return `${quote(url.origin)} carries a user name; remove it`;
    if (/[?#]/.test(text)) return `${quote(text)} has a query or a fragment; end it after the path`;
    return undefined;
  },
});

/** An address that requests go to: another cluster, a cloud endpoint. */
export const peerAddress: TextFormat = { ...ownAddress, rule: 'scheme and host, with an optional port and path' };

/** A browser origin, compared letter by letter. */
export const origin = patternFormat({
  name: 'origin',
  rule: 'scheme, host and optional port, exactly as a browser sends it: no path, no wildcard',
  pattern: '^https?://[^\\s/?#@A-Z*]+$',
  maxLength: 512,
  otherwise: 'is not an origin such as https://dashboard.example.com',
  diagnose(text) {
    if (text.includes('*'))
      return `${quote(text)} has a wildcard; name each origin, such as https://dashboard.example.com`;
    const problem = schemeOrHostProblem(text, quote(text));
    if (problem !== undefined) return problem;
    const exact = new URL(text).origin;
    return exact === text ? undefined : `${quote(text)} is not what a browser sends; write ${exact}`;
  },
});

/** A URL that may carry a credential in its path, query or user info, so no message repeats it. */
export const webhookUrl: TextFormat = {
  name: 'url',
  rule: 'an http or https URL; treated as a secret',
  pattern: '^https?://[^\\s]+$',
  maxLength: longestUrl,
  check: (text) => schemeOrHostProblem(text, 'the URL'),
};

export const proxyUrl: TextFormat = {
  name: 'url',
  rule: 'scheme, host and port of an HTTP proxy; user info is treated as a secret',
  pattern: '^https?://[^\\s/?#]+/?$',
  maxLength: longestUrl,
  check(text) {
    const problem = schemeOrHostProblem(text, 'the proxy URL');
    if (problem !== undefined) return problem;
    return new RegExp(proxyUrl.pattern).test(text)
      ? undefined
      : 'the proxy URL has a path, a query or a fragment; end it after the port';
  },
};
