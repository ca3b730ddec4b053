/** Where a managed database is in the cloud, and the way to it: all that is needed to start it again. */
export interface DatabaseAddress {
  readonly type: 'instance' | 'cluster';
  readonly identifier: string;
  readonly region: string;
  readonly endpoint?: string;
  readonly profile?: string;
  readonly proxyURL?: string;
}

/** An entry of the configuration as it is written down. A proxy with a password in it stays where it is: in the configuration. */
export function recordedAddress(entry: DatabaseAddress): DatabaseAddress {
  const { type, identifier, region, endpoint, profile, proxyURL } = entry;
  return {
    type,
    identifier: identifier.toLowerCase(),
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(profile === undefined ? {} : { profile }),
    ...(proxyURL === undefined || proxyURL === '' || hasUserInfo(proxyURL) ? {} : { proxyURL }),
  };
}

/** Whether both name the same database; the way to it may differ. */
export function isSameDatabase(a: DatabaseAddress, b: DatabaseAddress): boolean {
  const nameOf = ({ type, identifier, region, endpoint, profile }: DatabaseAddress) =>
    JSON.stringify([type, identifier.toLowerCase(), region, endpoint ?? '', profile ?? '']);
  return nameOf(a) === nameOf(b);
}

function hasUserInfo(url: string): boolean {
  return url.includes('@');
}
