import type { Call } from '../api/request/call.ts';
import { listMetadata, type Page } from '../api/verbs/list-page.ts';
import type { KubeObject } from '../object-store.ts';
import { columnsOf } from './table-columns.ts';

/** kubectl asks for tables first and for plain JSON second. */
export function wantsTable(headers: Readonly<Record<string, string>>): boolean {
  return (headers['accept'] ?? '').includes('as=Table');
}

export function tableList(call: Call, page: Page): string {
  return tableText(call, page.objects, listMetadata(page), true);
}

/** A table of single objects: a get, or one event of a watch (only its first event carries the columns). */
export function tableOf(call: Call, objects: readonly KubeObject[], withColumns = true): string {
  const resourceVersion = objects[0]?.metadata.resourceVersion ?? '';
  return tableText(call, objects, JSON.stringify({ resourceVersion }), withColumns);
}

function tableText(call: Call, objects: readonly KubeObject[], metadata: string, withColumns: boolean): string {
  const columns = columnsOf(call.type);
  const now = call.services.clock.now();
  const definitions = withColumns ? columns.map(({ cell: _cell, ...definition }) => definition) : [];
  const rows = objects.map((object) => ({
    cells: columns.map((column) => column.cell(object, now)),
    object: rowObject(call, object),
  }));
  return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"columnDefinitions":${JSON.stringify(definitions)},"rows":${JSON.stringify(rows)}}`;
}

function rowObject(call: Call, object: KubeObject): unknown {
  switch (call.info.query.get('includeObject')) {
    case 'None':
      return undefined;
    case 'Object':
      return object;
    default:
      return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
  }
}
