import { configMaps } from '../../domain/names.ts';
import { codec } from '../codec/codec.ts';
import { type Fields, mapOf, ShapeError, strings } from '../codec/shape.ts';

/** For each key that has outgrown `svc-state`: the ConfigMaps in which it goes on, in their order. */
export type Continued = Readonly<Record<string, readonly string[]>>;

/**
 * What is not named here is not part of the state, whatever it holds: a write creates what it needs first and names it
 * last, so the state changes as a whole or not at all.
 */
export const continued = codec<Continued>({
  key: 'continued',
  empty: {},
  blankIsEmpty: true,
  read(json) {
    const read = mapOf(json, '', (_, where, key) => strings(json as Fields, key, where));
    const all = Object.values(read).flat();
    for (const name of all) {
      if (partNumber(name) === undefined) {
        throw new ShapeError(`${JSON.stringify(name)} must be ${configMaps.statePartPrefix} and a number.`);
      }
    }
    const twice = all.find((name, index) => all.indexOf(name) !== index);
    if (twice !== undefined) throw new ShapeError(`${twice} is named twice.`);
    return read;
  },
  write(names) {
    const entries = Object.entries(names).filter(([, one]) => one.length > 0);
    return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
  },
});

export function partName(number: number): string {
  return `${configMaps.statePartPrefix}${number}`;
}

/** Undefined for a name that is none of ours. */
export function partNumber(name: string): number | undefined {
  const digits = name.startsWith(configMaps.statePartPrefix) ? name.slice(configMaps.statePartPrefix.length) : '';
  return /^(?:0|[1-9]\d{0,11})$/.test(digits) ? Number(digits) : undefined;
}
