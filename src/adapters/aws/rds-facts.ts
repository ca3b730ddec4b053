import type { DBCluster, DBInstance } from '@aws-sdk/client-rds';
import type { ClusterFacts, InstanceFacts } from '../../domain/database/stoppable.ts';

export function instanceFacts(raw: DBInstance): InstanceFacts {
  const replicaOf = raw.ReadReplicaSourceDBInstanceIdentifier ?? raw.ReadReplicaSourceDBClusterIdentifier;
  return {
    kind: 'instance',
    identifier: raw.DBInstanceIdentifier ?? '',
    status: raw.DBInstanceStatus ?? '',
    engine: raw.Engine ?? '',
    instanceClass: raw.DBInstanceClass ?? '',
    multiAz: raw.MultiAZ ?? false,
    storageType: raw.StorageType ?? '',
    ...(filled(replicaOf) ? { replicaOf } : {}),
    replicas: [...(raw.ReadReplicaDBInstanceIdentifiers ?? []), ...(raw.ReadReplicaDBClusterIdentifiers ?? [])],
    ...(filled(raw.DBClusterIdentifier) ? { memberOf: raw.DBClusterIdentifier } : {}),
  };
}

export function clusterFacts(raw: DBCluster): ClusterFacts {
  return {
    kind: 'cluster',
    identifier: raw.DBClusterIdentifier ?? '',
    status: raw.Status ?? '',
    engineMode: raw.EngineMode ?? '',
    storageType: raw.StorageType ?? '',
    ...(filled(raw.GlobalClusterIdentifier) ? { globalDatabase: raw.GlobalClusterIdentifier } : {}),
    ...(filled(raw.ReplicationSourceIdentifier) ? { replicaOf: raw.ReplicationSourceIdentifier } : {}),
    replicas: raw.ReadReplicaIdentifiers ?? [],
    members: (raw.DBClusterMembers ?? []).map((member) => member.DBInstanceIdentifier ?? '').filter(filled),
  };
}

/** The cloud leaves a field out or sends it empty; both mean that there is none. */
function filled(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
