import { TrustedProxies } from '../platform/trusted-proxies.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { readAppFiles } from './app-files.ts';
import { connectionBudget, type Listener, listenHttp, listenHttps, type RequestTimeouts } from './listeners.ts';
import { ownAddresses } from './own-addresses.ts';
import { ApiProxy } from './proxy/api-proxy.ts';
import { requestHandler } from './request-handler.ts';
import { internalSource, mountedCertificate } from './tls.ts';

export interface FrontendOptions {
  /** The folder of the built web app. */
  readonly webRoot: string;
  readonly apiUrl: string;
  readonly externalUrl: string;
  readonly internalUrl?: string;
  /** CIDRs, or the word `private_ranges`; empty trusts nobody. */
  readonly trustedProxies?: readonly string[];
  /** 0 picks a free one. */
  readonly httpPort: number;
  /** Left out: no HTTPS. */
  readonly httpsPort?: number;
  /** With `tls.crt` and `tls.key`; without it a certificate for `svc.internal` is made. */
  readonly tlsFolder?: string;
  /** The interface to listen on; all of them by default. */
  readonly host?: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often mounted files are looked at. */
  readonly lookEveryMs?: number;
  /** How long clients may take. */
  readonly requestTimeouts?: RequestTimeouts;
  /** How long the API may be silent. */
  readonly apiSilenceMs?: number;
}

export interface RunningFrontend {
  readonly httpPort: number;
  readonly httpsPort?: number;
  stop(): Promise<void>;
}

/** Serves the web app and the way to the API. Rejects, in words, when it is set up wrongly. */
export async function startFrontend(options: FrontendOptions): Promise<RunningFrontend> {
  const { clock, logger, lookEveryMs, host } = options;
  const proxies = new TrustedProxies(options.trustedProxies ?? []);
  const app = await readAppFiles(options.webRoot);
  const addresses = ownAddresses(options.externalUrl, options.internalUrl);
  const proxy = new ApiProxy({
    apiUrl: options.apiUrl,
    clock,
    logger,
    ...(options.apiSilenceMs === undefined ? {} : { silenceMs: options.apiSilenceMs }),
  });
  const handler = requestHandler({ app, proxy, proxies, addresses });
  const certificates =
    options.tlsFolder === undefined
      ? internalSource(clock)
      : await mountedCertificate(options.tlsFolder, clock, logger, lookEveryMs);
  const budget = connectionBudget(addresses);
  const shared = { handler, budget, host, requestTimeouts: options.requestTimeouts };
  const http = await listenHttp({ ...shared, port: options.httpPort });
  let https: Listener | undefined;
  if (options.httpsPort !== undefined) {
    https = await listenHttps({ ...shared, port: options.httpsPort }, certificates, logger);
  }
  return {
    httpPort: http.port,
    ...(https === undefined ? {} : { httpsPort: https.port }),
    async stop() {
      certificates.stop();
      await Promise.all([http.close(), https?.close()]);
      await proxy.close();
    },
  };
}
