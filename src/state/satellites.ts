import type { EpochMs, StringMap } from '../domain/workload.ts';
import { arrayText, codec } from './codec/codec.ts';
import {
  elements,
  instantField,
  instantText,
  nameField,
  object,
  own,
  place,
  refuseDuplicates,
  text,
  wrong,
} from './codec/shape.ts';

/** A Service that points at a satellite, and the selector its owner gave it. */
export interface SatelliteRecord {
  readonly namespace: string;
  /** The Service's name. */
  readonly name: string;
  readonly uid: string;
  readonly selector: StringMap;
  readonly at: EpochMs;
}

export const satellites = codec<readonly SatelliteRecord[]>({
  key: 'satellites',
  empty: [],
  blankIsEmpty: false,
  read(json) {
    const records = elements(json, '', readSatellite);
    refuseDuplicates(records, ({ namespace, name }) => `service ${namespace}/${name}`);
    return records;
  },
  write: (records) => arrayText(records.map((record) => JSON.stringify(satelliteJson(record)))),
});

function readSatellite(element: unknown, where: string): SatelliteRecord {
  const fields = object(element, where);
  return {
    namespace: nameField(fields, 'namespace', where),
    name: nameField(fields, 'name', where),
    uid: text(fields, 'uid', where, 64),
    selector: readSelector(own(fields, 'selector'), place(where, 'selector')),
    at: instantField(fields, 'at', where),
  };
}

function readSelector(value: unknown, where: string): StringMap {
  const labels = Object.entries(object(value, where));
  const notText = labels.find(([, label]) => typeof label !== 'string');
  if (notText !== undefined) throw wrong(`${where}, label ${notText[0].slice(0, 60)}`, 'a text', notText[1]);
  return Object.fromEntries(labels) as StringMap;
}

function satelliteJson({ namespace, name, uid, selector, at }: SatelliteRecord): object {
  return { namespace, name, uid, selector, at: instantText(at) };
}
