import type { Config } from '../../config/config.ts';
import { durationMs } from '../../domain/duration.ts';

/** How long a token of either kind is good, by the configuration in force when it is issued. */
export function tokenLifetimes({ auth }: Config): { readonly access: number; readonly refresh: number } {
  return { access: durationMs(auth.tokenExpiry), refresh: durationMs(auth.refreshExpiry) };
}
