import { proxyUrl } from '../formats/urls.ts';
import { text } from '../formats/value-types.ts';

export const proxy = (what: string) => text({ default: '', format: proxyUrl, secretUrl: true, description: what });

export const proxyURL = proxy('HTTP proxy for outbound requests; a proxy of a single feature goes before it.');
