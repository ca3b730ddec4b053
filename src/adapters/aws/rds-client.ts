import type { DBCluster, DBInstance, RDSClient } from '@aws-sdk/client-rds';
import { type CallLog, type Connection, clientOptions } from './connection.ts';
import { logCalls } from './request-log.ts';

/** The calls of the database service that are used, with paging done. */
export interface RdsCalls {
  instances(identifiers: readonly string[]): Promise<readonly DBInstance[]>;
  clusters(identifiers: readonly string[]): Promise<readonly DBCluster[]>;
  stop(kind: 'instance' | 'cluster', identifier: string): Promise<void>;
  start(kind: 'instance' | 'cluster', identifier: string): Promise<void>;
  destroy(): void;
}

/** The SDK is imported here and nowhere earlier: a process without managed databases never pays for it. */
export async function rdsCalls(connection: Connection, log: CallLog): Promise<RdsCalls> {
  const sdk = await import('@aws-sdk/client-rds');
  const client: RDSClient = new sdk.RDSClient({ ...clientOptions(connection) });
  // Sent once: it was decided a moment ago, and what comes minutes later may be wanted no more. Who decides has a pace of their own.
  const acts: RDSClient = new sdk.RDSClient({ ...clientOptions(connection), maxAttempts: 1 });
  logCalls(client, log);
  logCalls(acts, log);
  const named = (name: string, values: readonly string[]) => [{ Name: name, Values: [...values] }];
  return {
    async instances(identifiers) {
      const found: DBInstance[] = [];
      for (const Values of chunks(identifiers)) {
        const pages = sdk.paginateDescribeDBInstances({ client }, { Filters: named('db-instance-id', Values) });
        for await (const page of pages) found.push(...(page.DBInstances ?? []));
      }
      return found;
    },
    async clusters(identifiers) {
      const found: DBCluster[] = [];
      for (const Values of chunks(identifiers)) {
        const pages = sdk.paginateDescribeDBClusters({ client }, { Filters: named('db-cluster-id', Values) });
        for await (const page of pages) found.push(...(page.DBClusters ?? []));
      }
      return found;
    },
    async stop(kind, identifier) {
      if (kind === 'instance') await acts.send(new sdk.StopDBInstanceCommand({ DBInstanceIdentifier: identifier }));
      else await acts.send(new sdk.StopDBClusterCommand({ DBClusterIdentifier: identifier }));
    },
    async start(kind, identifier) {
      if (kind === 'instance') await acts.send(new sdk.StartDBInstanceCommand({ DBInstanceIdentifier: identifier }));
      else await acts.send(new sdk.StartDBClusterCommand({ DBClusterIdentifier: identifier }));
    },
    destroy() {
      client.destroy();
      acts.destroy();
    },
  };
}

/** One call asks for many at once: two hundred databases asked one by one are throttled. */
function chunks(identifiers: readonly string[], size = 50): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let at = 0; at < identifiers.length; at += size) parts.push(identifiers.slice(at, at + size));
  return parts;
}
