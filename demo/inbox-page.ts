import { createServer, type Server } from 'node:http';
import type { MemoryInbox } from './memory-inbox.ts';

/** The demo's mail: what the service sent, newest first, on a page of its own. */
export function serveInbox(inbox: MemoryInbox, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    if (request.url !== '/' && request.url !== '/mails.json') {
      response.writeHead(404).end();
      return;
    }
    const mails = inbox.mails.toReversed();
    if (request.url === '/mails.json') {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
      response.end(JSON.stringify(mails));
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    });
    response.end(page(mails));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const actual = typeof address === 'object' && address !== null ? address.port : port;
      resolve({
        url: `http://localhost:${actual}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

function page(mails: readonly { readonly to: string; readonly subject: string; readonly text: string }[]): string {
  const list = mails.map(
    ({ to, subject, text }) =>
      `<article><h2>${escaped(subject)}</h2><p>to ${escaped(to)}</p><pre>${escaped(text)}</pre></article>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Mail of the demo</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}article{border:1px solid #8886;border-radius:8px;padding:.5rem 1rem;margin:1rem 0}h2{font-size:1.1rem;margin:.3rem 0}p{opacity:.75;margin:0}pre{white-space:pre-wrap;font-size:1rem}</style>
<h1>Mail of the demo</h1>${list.length === 0 ? '<p>No mail yet. Ask for a sign-in code in the web app.</p>' : list.join('')}</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
