// Which databases the cloud lets nobody stop, told before it is asked: the words then name what to change.

export interface InstanceFacts {
  readonly kind: 'instance';
  readonly identifier: string;
  readonly status: string;
  readonly engine: string;
  readonly instanceClass: string;
  readonly multiAz: boolean;
  readonly storageType: string;
  /** What it is a read replica of. */
  readonly replicaOf?: string;
  /** Its own read replicas. */
  readonly replicas: readonly string[];
  /** The cluster that it is a member of. */
  readonly memberOf?: string;
}

export interface ClusterFacts {
  readonly kind: 'cluster';
  readonly identifier: string;
  readonly status: string;
  readonly engineMode: string;
  readonly storageType: string;
  /** The global database that it is part of. */
  readonly globalDatabase?: string;
  readonly replicaOf?: string;
  readonly replicas: readonly string[];
  readonly members: readonly string[];
}

export type DatabaseFacts = InstanceFacts | ClusterFacts;

/** Why it can never be stopped as it is, or undefined when nothing is known against it. */
export function whyNotStoppable(facts: DatabaseFacts): string | undefined {
  return facts.kind === 'instance' ? instanceObjection(facts) : clusterObjection(facts);
}

function instanceObjection(facts: InstanceFacts): string | undefined {
  const { identifier, engine } = facts;
  if (facts.memberOf !== undefined) {
    return `instance ${identifier} belongs to cluster ${facts.memberOf}, and only a whole cluster can be stopped: configure it with type cluster and identifier ${facts.memberOf}`;
  }
  if (engine.startsWith('aurora'))
    return `instance ${identifier} runs ${engine}, which can be stopped only as a cluster`;
  if (facts.replicaOf !== undefined) {
    return `instance ${identifier} is a read replica of ${facts.replicaOf}, and the cloud stops no read replica`;
  }
  if (facts.replicas.length > 0) {
    return `instance ${identifier} has read replicas (${facts.replicas.join(', ')}), and the cloud stops no instance that has one`;
  }
  if (facts.multiAz && /sqlserver/.test(engine)) {
    return `instance ${identifier} runs SQL Server in several availability zones, which the cloud does not stop`;
  }
  return undefined;
}

function clusterObjection(facts: ClusterFacts): string | undefined {
  const { identifier, engineMode } = facts;
  if (engineMode === 'serverless') {
    return `cluster ${identifier} is Aurora Serverless v1, which pauses by itself and cannot be stopped`;
  }
  if (engineMode === 'multimaster' || engineMode === 'parallelquery') {
    return `cluster ${identifier} has the engine mode ${engineMode}, which the cloud does not stop`;
  }
  if (facts.globalDatabase !== undefined) {
    return `cluster ${identifier} is part of the global database ${facts.globalDatabase}, and the cloud stops no such cluster`;
  }
  if (facts.replicaOf !== undefined) {
    return `cluster ${identifier} replicates ${facts.replicaOf}, and the cloud stops no replica`;
  }
  if (facts.replicas.length > 0) {
    return `cluster ${identifier} has read replicas (${facts.replicas.join(', ')}), and the cloud stops no cluster that has one`;
  }
  return undefined;
}
