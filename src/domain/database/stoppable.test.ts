import { describe, expect, it } from 'vitest';
import { type ClusterFacts, type DatabaseFacts, type InstanceFacts, whyNotStoppable } from './stoppable.ts';

const instance: InstanceFacts = {
  kind: 'instance',
  identifier: 'orders',
  status: 'available',
  engine: 'postgres',
  instanceClass: 'db.t4g.medium',
  multiAz: false,
  storageType: 'gp3',
  replicas: [],
};
const cluster: ClusterFacts = {
  kind: 'cluster',
  identifier: 'ledger',
  status: 'available',
  engineMode: 'provisioned',
  storageType: 'aurora',
  replicas: [],
  members: ['ledger-1'],
};

describe('whyNotStoppable', () => {
  const rows: Record<string, [DatabaseFacts, string | undefined]> = {
    'a single instance can be stopped': [instance, undefined],
    'an instance in several zones can be stopped': [{ ...instance, multiAz: true }, undefined],
    'SQL Server in one zone can be stopped': [{ ...instance, engine: 'sqlserver-se' }, undefined],
    'SQL Server in several zones cannot': [
      { ...instance, engine: 'sqlserver-se', multiAz: true },
      'instance orders runs SQL Server in several availability zones, which the cloud does not stop',
    ],
    'nor custom SQL Server in several zones': [
      { ...instance, engine: 'custom-sqlserver-se', multiAz: true },
      'instance orders runs SQL Server in several availability zones, which the cloud does not stop',
    ],
    'a read replica cannot': [
      { ...instance, replicaOf: 'main' },
      'instance orders is a read replica of main, and the cloud stops no read replica',
    ],
    'what has a read replica cannot': [
      { ...instance, replicas: ['r1', 'r2'] },
      'instance orders has read replicas (r1, r2), and the cloud stops no instance that has one',
    ],
    'a member of a cluster cannot, and the words say what to write instead': [
      { ...instance, engine: 'aurora-mysql', memberOf: 'ledger' },
      'instance orders belongs to cluster ledger, and only a whole cluster can be stopped: configure it with type cluster and identifier ledger',
    ],
    'an Aurora instance without a known cluster cannot': [
      { ...instance, engine: 'aurora-mysql' },
      'instance orders runs aurora-mysql, which can be stopped only as a cluster',
    ],
    'an Aurora cluster can be stopped': [cluster, undefined],
    'Aurora Serverless v1 cannot': [
      { ...cluster, engineMode: 'serverless' },
      'cluster ledger is Aurora Serverless v1, which pauses by itself and cannot be stopped',
    ],
    'parallel query cannot': [
      { ...cluster, engineMode: 'parallelquery' },
      'cluster ledger has the engine mode parallelquery, which the cloud does not stop',
    ],
    'a part of a global database cannot': [
      { ...cluster, globalDatabase: 'world' },
      'cluster ledger is part of the global database world, and the cloud stops no such cluster',
    ],
    'a cluster that replicates another cannot': [
      { ...cluster, replicaOf: 'arn:main' },
      'cluster ledger replicates arn:main, and the cloud stops no replica',
    ],
    'a cluster that is replicated cannot': [
      { ...cluster, replicas: ['arn:r'] },
      'cluster ledger has read replicas (arn:r), and the cloud stops no cluster that has one',
    ],
  };
  for (const [sentence, [facts, reason]] of Object.entries(rows)) {
    it(sentence, () => expect(whyNotStoppable(facts)).toBe(reason));
  }
});
