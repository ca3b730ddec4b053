import { createHash } from 'node:crypto';
import type { Host } from './host-header.ts';
import { isHostOf, type OwnAddress } from './own-address.ts';

export type Headers = Readonly<Record<string, string>>;

/** On every answer, whatever it is. */
export const securityHeaders: Headers = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/**
 * The app's own policy: its files and its API, nothing from elsewhere. Inline scripts run only by their hash. Styles are
 * made at run time by the component library, so inline ones are let through; they cannot load anything from outside.
 */
export function appPolicy(index: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inlineScriptHashes(index)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function inlineScriptHashes(index: string): readonly string[] {
  const scripts = [...index.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)].map((match) => match[1]!);
  return scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
}

/** Only where the instance itself is served by https, and not for hosts below it: those are somebody else's. */
export function transportSecurity(own: readonly OwnAddress[], host: Host | undefined): Headers {
  const secure = host !== undefined && own.some((address) => address.secure && isHostOf(address, host));
  return secure ? { 'strict-transport-security': 'max-age=31536000' } : {};
}
