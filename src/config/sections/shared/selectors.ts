import { glob, labelKey, workloadType } from '../../formats/names.ts';
import { list, map, optional, record, text } from '../../formats/value-types.ts';

export const type = optional(text({ format: workloadType, description: 'Kind of workload; any while absent.' }));
export const selectorNamespace = text({ format: glob, description: 'Namespace, or a pattern of namespaces.' });
export const selectorName = optional(
  text({ format: glob, description: 'Name, or a pattern of names; any while absent.' }),
);
const labelValue = text({ maxLength: 63, default: '', description: 'The value the label must have.' });
export const labels = optional(map(labelKey, labelValue, { maxItems: 50, description: 'Labels that must all match.' }));

/** Resources as one cluster names them to another. */
export const remoteResources = optional(
  list(
    record({ namespace: selectorNamespace, type, name: selectorName }, { description: 'Resources of one namespace.' }),
    { description: 'Resources that are woken; all of the cluster while absent.' },
  ),
);
