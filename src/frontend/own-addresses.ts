import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { parseOwnAddress } from './own-address.ts';
import type { OwnAddresses } from './redirect-rule.ts';
import { WatchedFiles } from './watched-files.ts';

/** `config.internalUrl` may be empty: then the external address is the only own one. */
export function ownAddresses(externalUrl: string, internalUrl = ''): OwnAddresses {
  const own = [parseOwnAddress(externalUrl, 'config.externalUrl')];
  if (internalUrl !== '') own.push(parseOwnAddress(internalUrl, 'config.internalUrl'));
  return { externalUrl, own };
}

export interface AddressSource {
  current(): OwnAddresses;
  stop(): void;
}

export function fixedAddresses(externalUrl: string, internalUrl?: string): AddressSource {
  const addresses = ownAddresses(externalUrl, internalUrl);
  return { current: () => addresses, stop() {} };
}

/** Reads them from the configuration's text, mounted as a file, and follows its changes; a bad change is refused. */
export async function mountedAddresses(
  path: string,
  clock: Clock,
  logger: Logger,
  everyMs?: number,
): Promise<AddressSource> {
  let addresses: OwnAddresses;
  const files = new WatchedFiles({
    paths: [path],
    clock,
    logger,
    ...(everyMs === undefined ? {} : { everyMs }),
    onChange([text = '']) {
      void addressesIn(text).then(
        (changed) => {
          addresses = changed;
          logger.info('Own addresses reloaded', { externalUrl: changed.externalUrl });
        },
        (error) =>
          logger.error('The changed configuration is refused; the last good one stays', { error: String(error) }),
      );
    },
  });
  const [text = ''] = await files.start();
  addresses = await addressesIn(text);
  return { current: () => addresses, stop: () => files.stop() };
}

/** The YAML reader is loaded only where the configuration comes as a file. */
async function addressesIn(text: string): Promise<OwnAddresses> {
  const { formatConfigErrors, parseConfigText } = await import('../config/config.ts');
  const parsed = parseConfigText(text);
  if (!parsed.ok) throw new Error(`invalid configuration: ${formatConfigErrors(parsed.errors)}`);
  return ownAddresses(parsed.config.externalUrl, parsed.config.internalUrl);
}
