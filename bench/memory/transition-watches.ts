import type { ServerResponse } from 'node:http';

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly text: string;
}

/** Open watches by what they are about. */
export function watchersOf() {
  const open = new Map<string, Set<ServerResponse>>();
  return {
    add(about: string, response: ServerResponse): void {
      const set = open.get(about) ?? new Set();
      open.set(about, set.add(response));
      response.on('close', () => set.delete(response));
    },
    tell(about: string, { type, text }: Change): void {
      for (const response of open.get(about) ?? []) response.write(`{"type":"${type}","object":${text}}\n`);
    },
  };
}

export const initialEnd = '"annotations":{"k8s.io/initial-events-end":"true"}';

export function bookmark(version: number, more: string): string {
  return `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"${version}",${more}}}}\n`;
}

export function refuse(response: ServerResponse, code: number, reason: string): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: reason }));
}
