import type { DatabaseAddress } from '../../domain/database/address.ts';
import type { DatabaseFacts } from '../../domain/database/stoppable.ts';
import type { Clock } from '../../ports/clock.ts';
import { type CallLog, type Connection, connectionKey, databaseConnection } from './connection.ts';
import type { RdsCalls } from './rds-client.ts';
import { clusterFacts, instanceFacts } from './rds-facts.ts';

/** A database of the configuration, and how to reach the cloud that runs it. */
export interface DatabasePlace {
  readonly type: 'instance' | 'cluster';
  readonly identifier: string;
  readonly connection: Connection;
}

export function placeOf(address: DatabaseAddress, generalProxy: string): DatabasePlace {
  const { type, identifier } = address;
  return { type, identifier: identifier.toLowerCase(), connection: databaseConnection(address, generalProxy) };
}

export interface FleetOptions {
  readonly clock: Clock;
  readonly log: CallLog;
  /** Opens the cloud; a test puts recorded answers here. */
  readonly open: (connection: Connection, log: CallLog) => Promise<RdsCalls>;
}

interface Reading {
  readonly at: number;
  readonly facts: Promise<ReadonlyMap<string, DatabaseFacts>>;
}

/** A pass asks for one database after another: the first question answers all of one place. */
const freshMs = 3_000;

export class RdsFleet {
  readonly #options: FleetOptions;
  readonly #clients = new Map<string, Promise<RdsCalls>>();
  readonly #readings = new Map<string, Reading>();

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** The facts of a database, read together with its neighbours; undefined when the cloud does not know it. */
  async facts(place: DatabasePlace, neighbours: readonly DatabasePlace[]): Promise<DatabaseFacts | undefined> {
    const key = groupKey(place);
    const now = this.#options.clock.monotonic();
    const known = this.#readings.get(key);
    if (known !== undefined && now - known.at < freshMs) {
      const facts = await known.facts;
      if (facts.has(place.identifier)) return facts.get(place.identifier);
    }
    const together = [place, ...neighbours.filter((other) => groupKey(other) === key)];
    const facts = this.#read(place, [...new Set(together.map(({ identifier }) => identifier))]);
    this.#readings.set(key, { at: now, facts });
    facts.catch(() => this.#readings.delete(key));
    return (await facts).get(place.identifier);
  }

  async calls({ connection }: DatabasePlace): Promise<RdsCalls> {
    const key = connectionKey(connection);
    const { open, log } = this.#options;
    const known = this.#clients.get(key) ?? open(connection, log);
    this.#clients.set(key, known);
    // A failed import must not be remembered as the client.
    known.catch(() => this.#clients.delete(key));
    return known;
  }

  /** What was read is no longer so: a call has just changed it. */
  forget(place: DatabasePlace): void {
    this.#readings.delete(groupKey(place));
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    this.#readings.clear();
    for (const client of clients) (await client.catch(() => undefined))?.destroy();
  }

  async #read(place: DatabasePlace, identifiers: readonly string[]): Promise<ReadonlyMap<string, DatabaseFacts>> {
    const calls = await this.calls(place);
    const facts: readonly DatabaseFacts[] =
      place.type === 'instance'
        ? (await calls.instances(identifiers)).map(instanceFacts)
        : (await calls.clusters(identifiers)).map(clusterFacts);
    return new Map(facts.map((one) => [one.identifier, one]));
  }
}

function groupKey({ type, connection }: DatabasePlace): string {
  return `${type} ${connectionKey(connection)}`;
}
