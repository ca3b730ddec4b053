import { describe, expect, it } from 'vitest';
import { isDocumentRequest } from './document-request.ts';

const chrome = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('a document request', () => {
  const rows: [string, Partial<Parameters<typeof isDocumentRequest>[0]>, boolean][] = [
    ['is a navigation of a browser', { accept: chrome, destination: 'document' }, true],
    ['is a frame', { accept: chrome, destination: 'iframe' }, true],
    ['is no script of the page', { accept: '*/*', destination: 'script' }, false],
    ['is no fetch of the page, whatever it accepts', { accept: 'text/html', destination: 'empty' }, false],
    ['is no image', { accept: 'image/*,*/*;q=0.8', destination: 'image', path: '/favicon.ico' }, false],
    ['is a navigation of an old browser', { accept: chrome }, true],
    ['is one with HEAD', { method: 'HEAD', accept: chrome }, true],
    ['is none with POST', { method: 'POST', accept: chrome }, false],
    ['is what a plain program asks for', { accept: '*/*' }, true],
    ['is what a program asks for that does not say', {}, true],
    ['is no file that a plain program asks for', { accept: '*/*', path: '/assets/index-0.js' }, false],
    ['is a page even if its name looks like a file', { accept: chrome, path: '/report.json' }, true],
    ['is nothing that a program of JSON asks for', { accept: 'application/json' }, false],
    ['is nothing for a reader of events', { accept: 'text/event-stream' }, false],
  ];
  it.each(rows)('%s', (_, traits, expected) => {
    const request = { method: 'GET', path: '/', accept: undefined, destination: undefined, ...traits };
    expect(isDocumentRequest(request)).toBe(expected);
  });
});
