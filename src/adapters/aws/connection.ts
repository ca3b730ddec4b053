import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { DatabaseAddress } from '../../domain/database/address.ts';
import type { Logger } from '../../ports/logger.ts';

/** Where a cloud client talks to, and how. */
export interface Connection {
  readonly region: string;
  /** Instead of the public address of the service. */
  readonly endpoint?: string;
  /** A profile of the shared credential files; the default chain while absent. */
  readonly profile?: string;
  readonly proxyUrl?: string;
}

export interface CallLog {
  readonly logger: Logger;
  /** Whether requests, their signing and answers are logged: debug level together with devMode. Asked at each call. */
  verbose(): boolean;
}

/** The part of every SDK client's options that is ours. The SDK's own retries back off on throttling and 5xx. */
export interface ClientOptions {
  readonly region: string;
  readonly endpoint?: string;
  readonly profile?: string;
  readonly maxAttempts: number;
  readonly requestHandler: {
    readonly connectionTimeout: number;
    readonly requestTimeout: number;
    readonly httpAgent: HttpAgent;
    readonly httpsAgent: HttpsAgent;
  };
}

export function clientOptions(connection: Connection): ClientOptions {
  const { region, endpoint, profile, proxyUrl } = connection;
  const proxy = proxyUrl === undefined || proxyUrl === '' ? undefined : proxyUrl;
  const agentOptions = {
    keepAlive: true,
    maxSockets: 8,
    ...(proxy === undefined ? {} : { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  };
  return {
    region,
    ...(endpoint === undefined || endpoint === '' ? {} : { endpoint }),
    ...(profile === undefined || profile === '' ? {} : { profile }),
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: 30_000,
      httpAgent: new HttpAgent(agentOptions),
      httpsAgent: new HttpsAgent(agentOptions),
    },
  };
}

/** The feature's own proxy wins over the general one; neither means none. */
export function proxyOf(general: string, own = ''): { readonly proxyUrl?: string } {
  const proxyUrl = own === '' ? general : own;
  return proxyUrl === '' ? {} : { proxyUrl };
}

/** The way to the cloud that runs a database. */
export function databaseConnection(address: DatabaseAddress, generalProxy: string): Connection {
  const { region, endpoint, profile, proxyURL } = address;
  return {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(profile === undefined ? {} : { profile }),
    ...proxyOf(generalProxy, proxyURL),
  };
}

export function connectionKey({ region, endpoint, profile, proxyUrl }: Connection): string {
  return JSON.stringify([region, endpoint ?? '', profile ?? '', proxyUrl ?? '']);
}
