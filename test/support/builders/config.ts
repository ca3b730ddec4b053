import { type Config, parseConfig } from '../../../src/config/config.ts';

/** A configuration as the service reads it, with these values; throws when it would be refused. */
export function goodConfig(parts: Readonly<Record<string, unknown>> = {}): Config {
  const parsed = parseConfig({ clusterName: 'test', externalUrl: 'https://svc.example.com', ...parts });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}
