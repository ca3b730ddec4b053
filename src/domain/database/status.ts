// What the cloud's own words for the state of a database mean to us.

export type DatabaseCondition = 'available' | 'starting' | 'stopping' | 'stopped' | 'failed' | 'unknown';

/** On its way up, or being put where it will be up. */
const starting = new Set(['starting', 'creating', 'rebooting', 'restoring', 'recovering', 'migrating']);

/** Only a person, or another service's settings, can bring these back. */
const failed = new Set([
  'failed',
  'deleting',
  'deleted',
  'inaccessible-encryption-credentials',
  'inaccessible-encryption-credentials-recoverable',
  'incompatible-create',
  'incompatible-credentials',
  'incompatible-network',
  'incompatible-option-group',
  'incompatible-parameters',
  'incompatible-restore',
  'insufficient-capacity',
  'insufficient-resource-limits',
  'migration-failed',
  'restore-error',
  'cluster-storage-unavailable',
]);

/**
 * Answers queries while the cloud works on it. It is up, so a wake need not wait for it; it cannot be stopped until the
 * work is done, and the cloud says so when asked.
 */
const busy = new Set([
  'backing-up',
  'backtracking',
  'configuring-associated-roles',
  'configuring-enhanced-monitoring',
  'configuring-iam-database-auth',
  'configuring-log-exports',
  'configuring-performance-insights',
  'converting-to-vpc',
  'delete-precheck',
  'failing-over',
  'maintenance',
  'modifying',
  'moving-to-vpc',
  'preparing-data-migration',
  'promoting',
  'renaming',
  'resetting-master-credentials',
  'scaling-compute',
  'scaling-storage',
  'storage-config-upgrade',
  'storage-full',
  'storage-initialization',
  'storage-optimization',
  'update-iam-db-auth',
  'upgrading',
]);

export interface StatusMeaning {
  readonly condition: DatabaseCondition;
  /** True while it is up and the cloud would refuse to stop it for now. */
  readonly busy: boolean;
}

export function statusMeaning(status: string): StatusMeaning {
  const word = status.trim().toLowerCase();
  if (word === 'available') return { condition: 'available', busy: false };
  if (word === 'stopped') return { condition: 'stopped', busy: false };
  if (word === 'stopping') return { condition: 'stopping', busy: false };
  if (starting.has(word)) return { condition: 'starting', busy: false };
  if (failed.has(word)) return { condition: 'failed', busy: false };
  if (busy.has(word)) return { condition: 'available', busy: true };
  return { condition: 'unknown', busy: false };
}
