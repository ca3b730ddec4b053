import type { Config } from '../../config/config.ts';
import { type Connection, proxyOf } from './connection.ts';

/** Where costs and prices are asked for. */
export function costConnection({ awsCosts, proxyURL }: Config, endpoint: string | undefined): Connection {
  return {
    region: awsCosts.region,
    profile: awsCosts.profile,
    ...proxyOf(proxyURL, awsCosts.proxyURL),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}

/** Where the statistics are kept: the parameter store has a region of its own, or that of the costs. */
export function statisticsConnection(config: Config, endpoint: string | undefined): Connection {
  const { region, statsRegion } = config.awsCosts;
  return { ...costConnection(config, endpoint), region: statsRegion === '' ? region : statsRegion };
}
