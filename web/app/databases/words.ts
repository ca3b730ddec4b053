import type { DatabaseRow, SatelliteRow } from '../data/queries.ts';

/** What the cloud says, and whose doing it is. `waking` is what a running wake has seen since. */
export function databaseWords({ status, stoppedByUs, configured }: DatabaseRow, waking?: string): string {
  const seen = waking ?? status ?? 'not seen yet';
  const notes = [
    ...(stoppedByUs && waking === undefined ? ['stopped by the service'] : []),
    ...(configured ? [] : ['no longer configured; it is started again']),
  ];
  return notes.length === 0 ? seen : `${seen} (${notes.join('; ')})`;
}

const answering: Readonly<Record<SatelliteRow['state'], string>> = {
  own: 'Its own pods',
  starting: 'Its satellite is being put up or taken down',
  standing_in: 'Its satellite',
};

export function satelliteWords({ state, configured, reason }: SatelliteRow): string {
  if (!configured) return `${answering[state]} (no longer configured; the service is given back)`;
  return reason === undefined ? answering[state] : `${answering[state]} (it gets no satellite: ${reason})`;
}
