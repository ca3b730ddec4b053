import { type Document, discovery } from '../../kubectl/discovery.ts';
import { openApi } from '../../kubectl/openapi.ts';
import { VERSION_DOCUMENT } from '../../kubectl/version.ts';
import type { ResourceType } from '../kinds/resource-type.ts';
import { type ApiResponse, jsonResponse, textResponse } from '../request/call.ts';

const HEALTH = new Set(['/healthz', '/livez', '/readyz']);

/** Every path that is not a resource: discovery, documents, health, version. */
export function page(path: string, accept: string, types: readonly ResourceType[]): ApiResponse | undefined {
  if (HEALTH.has(path)) return textResponse(200, 'ok');
  if (path === '/version' || path === '/version/') return jsonResponse(200, JSON.stringify(VERSION_DOCUMENT));
  const document = discovery(path, accept, types) ?? openApi(path, accept, types);
  return document === undefined ? undefined : documentResponse(document);
}

function documentResponse({ contentType, body }: Document): ApiResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status: 200, headers: { 'content-type': contentType }, body: text };
}
