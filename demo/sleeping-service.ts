import { createLogger } from '../src/platform/logger.ts';
import { systemClock } from '../src/platform/system-clock.ts';
import { type RunningSatellite, startSatellite } from '../src/satellite/main.ts';

export interface SleepingServiceOptions {
  readonly port: number;
  readonly apiUrl: string;
  readonly externalUrl: string;
}

/** What a visitor of `shop/storefront` sees while it sleeps: the page that its satellite serves in a cluster. */
export function serveSleepingService({ port, apiUrl, externalUrl }: SleepingServiceOptions): Promise<RunningSatellite> {
  return startSatellite({
    clusterName: 'demo',
    namespace: 'shop',
    service: 'storefront',
    externalUrl,
    statusUrl: apiUrl,
    ports: [port],
    host: '127.0.0.1',
    clock: systemClock,
    logger: createLogger({ process: 'satellite', level: 'warn' }),
  });
}
