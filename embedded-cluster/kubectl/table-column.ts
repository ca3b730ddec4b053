import type { KubeObject } from '../object-store.ts';
import { arrayOf, objectOf, textOf, valueAt } from '../store/json-value.ts';
import { age } from './duration-text.ts';

/** One column of `kubectl get`. Priority 0 is always shown, 1 only with `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly cell: (object: KubeObject, now: number) => unknown;
}

type Cell = Column['cell'];

export function text(name: string, cell: Cell, priority = 0): Column {
  return { name, type: 'string', format: '', description: name, priority, cell };
}

export function integer(name: string, cell: Cell, priority = 0): Column {
  return { name, type: 'integer', format: '', description: name, priority, cell };
}

/** A column that is only shown with `-o wide`. */
export function wide(name: string, cell: Cell): Column {
  return text(name, cell, 1);
}

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  priority: 0,
  cell: (object) => object.metadata.name,
};

export const ageColumn: Column = text('Age', (object, now) => age(object.metadata.creationTimestamp, now));

/** The number at a path, 0 when there is none. */
export function countAt(object: KubeObject, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === 'number' ? value : 0;
}

export function textAt(object: KubeObject, ...path: readonly string[]): string {
  const value = valueAt(object, ...path);
  return value === undefined || value === null || value === '' ? '<none>' : String(value);
}

function containersOf(object: KubeObject): readonly unknown[] {
  return arrayOf(valueAt(object, 'spec', 'template', 'spec', 'containers'));
}

/** The columns about a workload's containers. */
export const containerColumns: readonly Column[] = [
  wide('Containers', (object) =>
    containersOf(object)
      .map((container) => textOf(valueAt(container, 'name')) ?? '')
      .join(','),
  ),
  wide('Images', (object) =>
    containersOf(object)
      .map((container) => textOf(valueAt(container, 'image')) ?? '')
      .join(','),
  ),
];

/** Labels as `a=b,c=d`. */
export function labelText(labels: unknown): string {
  const pairs = Object.entries(objectOf(labels)).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}
