import type { ResourceType } from '../api/kinds/resource-type.ts';
import { ageColumn, type Column, nameColumn } from './table-column.ts';
import { CORE_COLUMNS } from './table-columns-core.ts';
import { WORKLOAD_COLUMNS } from './table-columns-workloads.ts';

const FALLBACK: readonly Column[] = [nameColumn, ageColumn];

export function columnsOf(type: ResourceType): readonly Column[] {
  if (type.custom) return FALLBACK;
  return CORE_COLUMNS[type.storage] ?? WORKLOAD_COLUMNS[type.storage] ?? FALLBACK;
}
