import { parse, stringify } from 'yaml';
import { findAccess } from '../src/adapters/kubernetes/transport/access.ts';
import { HttpsTransport } from '../src/adapters/kubernetes/transport/https-transport.ts';
import { configTextKey, parseConfigText } from '../src/config/config.ts';
import { createLogger } from '../src/platform/logger.ts';
import { cryptographicRandom } from '../src/platform/random.ts';
import { systemClock } from '../src/platform/system-clock.ts';
import { brandingTextKey } from '../src/service/service.ts';
import { type ConfigFront, configFront } from './config-front.ts';

type Settings = Readonly<Record<string, unknown>>;

export interface RealClusterOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Stands over the brand of the release, if there is one. */
  readonly branding?: Settings;
  /** Makes the configuration of that of the release, if there is one. */
  configOf(installed: Settings | undefined): Settings;
}

/**
 * A cluster of the user's own. The configuration is answered in front of the cluster and not written into it, so that
 * looking at a cluster leaves nothing behind.
 */
export async function realCluster(options: RealClusterOptions): Promise<ConfigFront> {
  const { kubeconfig, namespace, branding } = options;
  const clock = systemClock;
  const access = await findAccess({ env: process.env, clock, kubeconfig });
  return configFront({
    transport: new HttpsTransport({ access, clock }),
    namespace,
    clock,
    random: cryptographicRandom,
    logger: createLogger({ process: 'demo', level: 'warn' }),
    dataOf(installed) {
      const brand = branding === undefined ? installed?.[brandingTextKey] : stringify(branding);
      return {
        [configTextKey]: inFront(installed?.[configTextKey], options.configOf),
        ...(brand === undefined ? {} : { [brandingTextKey]: brand }),
      };
    },
  });
}

/** What is refused is passed on as it is: whoever reads it then names the place in the text that people have before them. */
export function inFront(text: string | undefined, configOf: RealClusterOptions['configOf']): string {
  if (text === undefined) return stringify(configOf(undefined));
  const installed = parseConfigText(text).ok ? readable(text) : undefined;
  return installed === undefined ? text : stringify(configOf(installed));
}

function readable(text: string): Settings | undefined {
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : undefined;
  } catch {
    return undefined;
  }
}
