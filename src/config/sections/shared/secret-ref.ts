import { dataKey, objectName } from '../../formats/names.ts';
import { record, required, text } from '../../formats/value-types.ts';

export const secretRef = required(
  record(
    {
      name: text({ format: objectName, description: 'Name of a Secret in the release namespace.' }),
      key: text({ format: dataKey, description: 'Key of that Secret.' }),
    },
    { description: 'Where the shared key is kept.' },
  ),
);
