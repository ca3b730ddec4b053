import type { Config } from '../../config/config.ts';
import { type DatabaseAddress, isSameDatabase } from '../../domain/database/address.ts';
import { type StatusMeaning, statusMeaning } from '../../domain/database/status.ts';
import { whyNotStoppable } from '../../domain/database/stoppable.ts';
import type { WriteOutcome } from '../../ports/cluster.ts';
import type { DatabaseReading, Databases } from '../../ports/databases.ts';
import { type CloudError, cloudError, cloudWords } from './cloud-error.ts';
import { type DatabasePlace, type FleetOptions, placeOf, RdsFleet } from './rds-fleet.ts';

export interface RdsDatabasesOptions extends FleetOptions {
  /** The configuration in force. */
  config(): Config;
}

type Act = 'stop' | 'start';

/** RDS instances and Aurora clusters under the names that `config.databases` gives them. */
export class RdsDatabases implements Databases {
  readonly #options: RdsDatabasesOptions;
  readonly #fleet: RdsFleet;
  /** One that leaves the configuration while it is stopped, by a version that did not record where it is. */
  readonly #seen = new Map<string, DatabaseAddress>();
  #lookedAt: Config | undefined;

  constructor(options: RdsDatabasesOptions) {
    this.#options = options;
    this.#fleet = new RdsFleet(options);
  }

  async read(name: string, recorded: DatabaseAddress | undefined): Promise<DatabaseReading> {
    const place = this.#place(name, recorded);
    if (place === undefined) return { condition: 'unknown', message: notConfigured(name) };
    try {
      const facts = await this.#fleet.facts(place, this.#neighbours());
      if (facts === undefined) return { condition: 'failed', message: missing(place), gone: true };
      const { condition, busy } = statusMeaning(facts.status);
      const remarkable = busy || condition === 'failed' || condition === 'unknown';
      return remarkable
        ? {
            condition,
            ...(busy ? { busy } : {}),
            message: `${described(place)} is ${facts.status || 'without a status'}`,
          }
        : { condition };
    } catch (error) {
      const known = cloudError(error);
      if (known.kind === 'not-found') return { condition: 'failed', message: missing(place), gone: true };
      this.#options.log.logger.warn('A database cannot be read', { database: name, error: cloudWords(known) });
      return { condition: 'unknown', message: cloudWords(known) };
    }
  }

  stop(name: string): Promise<WriteOutcome> {
    return this.#act('stop', name);
  }

  start(name: string, recorded: DatabaseAddress | undefined): Promise<WriteOutcome> {
    return this.#act('start', name, recorded);
  }

  close(): Promise<void> {
    return this.#fleet.close();
  }

  async #act(act: Act, name: string, recorded?: DatabaseAddress): Promise<WriteOutcome> {
    const place = this.#place(name, recorded);
    if (place === undefined) return { outcome: 'refused', status: 404, message: notConfigured(name) };
    try {
      const facts = await this.#fleet.facts(place, this.#neighbours());
      if (facts === undefined) return { outcome: 'gone' };
      const objection = act === 'stop' ? whyNotStoppable(facts) : undefined;
      if (objection !== undefined) return { outcome: 'refused', status: 400, message: objection };
      const calls = await this.#fleet.calls(place);
      this.#fleet.forget(place);
      await calls[act](place.type, place.identifier);
      this.#options.log.logger.info(act === 'stop' ? 'Database told to stop' : 'Database told to start', {
        database: name,
        identifier: place.identifier,
      });
      return { outcome: 'done' };
    } catch (error) {
      return this.#outcome(act, place, cloudError(error));
    }
  }

  async #outcome(act: Act, place: DatabasePlace, error: CloudError): Promise<WriteOutcome> {
    const message = cloudWords(error);
    switch (error.kind) {
      case 'not-found':
        return { outcome: 'gone' };
      case 'throttled':
        return { outcome: 'conflict' };
      case 'invalid-state':
        return afterInvalidState(act, await this.#meaning(place), error.status, message);
      case 'denied':
      case 'refused':
        return { outcome: 'refused', status: error.status, message };
      case 'no-answer':
        return { outcome: 'unknown', message };
    }
  }

  async #meaning(place: DatabasePlace): Promise<StatusMeaning | undefined> {
    this.#fleet.forget(place);
    const facts = await this.#fleet.facts(place, []).catch(() => undefined);
    return facts === undefined ? undefined : statusMeaning(facts.status);
  }

  #place(name: string, recorded?: DatabaseAddress): DatabasePlace | undefined {
    this.#learn();
    const seen = this.#seen.get(name);
    // The configuration knows the way better: a proxy with a password is not recorded.
    const known = recorded === undefined || (seen !== undefined && isSameDatabase(seen, recorded)) ? seen : recorded;
    return known === undefined ? undefined : placeOf(known, this.#options.config().proxyURL);
  }

  #neighbours(): readonly DatabasePlace[] {
    return [...this.#seen.values()].map((address) => placeOf(address, this.#options.config().proxyURL));
  }

  #learn(): void {
    const config = this.#options.config();
    if (this.#lookedAt === config) return;
    this.#lookedAt = config;
    for (const [name, entry] of Object.entries(config.databases)) this.#seen.set(name, entry);
  }
}

/**
 * The cloud says that the act does not fit the state. Where it is already under way, or done, that is what was wanted
 * (the first answer was lost); where something else is going on, it fits later; otherwise it is a refusal.
 */
export function afterInvalidState(
  act: Act,
  meaning: StatusMeaning | undefined,
  status: number,
  message: string,
): WriteOutcome {
  const wanted = act === 'stop' ? ['stopping', 'stopped'] : ['starting', 'available'];
  if (meaning === undefined) return { outcome: 'unknown', message };
  if (wanted.includes(meaning.condition)) return { outcome: 'done' };
  const later = meaning.busy || meaning.condition === 'starting' || meaning.condition === 'stopping';
  return later ? { outcome: 'conflict' } : { outcome: 'refused', status, message };
}

function described({ type, identifier }: DatabasePlace): string {
  return `${type} ${identifier}`;
}

function missing(place: DatabasePlace): string {
  return `there is no ${described(place)} in region ${place.connection.region}`;
}

function notConfigured(name: string): string {
  return `database ${name} is no longer in config.databases: put it back, or start it in the cloud by hand`;
}
