import { displayName, labelKey } from '../formats/names.ts';
import { list, map, optional, record, text } from '../formats/value-types.ts';
import { labels, selectorName, selectorNamespace, type } from './shared/selectors.ts';

const annotationValue = text({ maxLength: 4096, default: '', description: 'The value the annotation must have.' });

export const resourceRules = record(
  {
    neverScale: list(
      record(
        {
          namespace: selectorNamespace,
          type,
          name: selectorName,
          labels,
          annotations: optional(
            map(labelKey, annotationValue, { maxItems: 50, description: 'Annotations that must all match.' }),
          ),
          reason: optional(text({ format: displayName, description: 'Why; shown beside the workload.' })),
        },
        { description: 'A selector.' },
      ),
      { description: 'Workloads that are never scaled.' },
    ),
  },
  { description: 'Rules for single workloads.' },
);
